import { ArmError } from "./arm-error.ts";
import { keyOf } from "./arm-path.ts";
import type { ArmProvider } from "./provider.ts";
import type { ResourceType } from "./resource-type.ts";

/** Registered providers and resource types, with case-insensitive lookup. */
export class Registry {
  readonly #providers: readonly ArmProvider[];
  readonly #types = new Map<string, ResourceType>();

  constructor(providers: readonly ArmProvider[]) {
    this.#providers = providers;
    for (const type of providers.flatMap(({ types = [] }) => types))
      this.#types.set(keyOf(`${type.namespace}/${type.type}`), type);
  }

  get providers(): readonly ArmProvider[] {
    return this.#providers;
  }

  find(namespace: string, types: readonly string[]): ResourceType | undefined {
    return this.#types.get(keyOf([namespace, ...types].join("/")));
  }

  /** Returns the type of a stored resource. */
  typeOf(record: { readonly type: string }): ResourceType {
    const type = this.#types.get(keyOf(record.type));
    if (!type) throw new Error(`stored resource of the unknown type ${record.type}`);
    return type;
  }

  /** Throws ARM's error for an unknown type or API version. @throws ArmError 404 */
  unknownType(namespace: string, types: readonly string[], apiVersion: string): ArmError {
    return this.typesIn(namespace).length > 0
      ? new ArmError(
          404,
          "InvalidResourceType",
          `The resource type '${types.join("/")}' could not be found in the namespace '${namespace}' for api version '${apiVersion}'.`,
        )
      : new ArmError(404, "InvalidResourceNamespace", `The resource namespace '${namespace}' is invalid.`);
  }

  namespaces(): readonly string[] {
    return [...new Set(this.#providers.map(({ namespace }) => namespace))];
  }

  /** Returns the providers of a namespace. */
  providersOf(namespace: string): readonly ArmProvider[] {
    return this.#providers.filter((each) => keyOf(each.namespace) === keyOf(namespace));
  }

  typesIn(namespace: string): readonly ResourceType[] {
    return this.providersOf(namespace).flatMap(({ types = [] }) => types);
  }
}
