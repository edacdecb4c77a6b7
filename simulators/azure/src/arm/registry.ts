import { ArmError } from "./arm-error.ts";
import { keyOf } from "./arm-path.ts";
import type { ProviderDefinition } from "./provider-definition.ts";
import type { TypeDefinition } from "./type-definition.ts";

/** Registered providers and resource types, with case-insensitive lookup. */
export class Registry<S> {
  readonly #providers: readonly ProviderDefinition<S>[];
  readonly #types = new Map<string, TypeDefinition<S>>();

  constructor(providers: readonly ProviderDefinition<S>[]) {
    this.#providers = providers;
    for (const type of providers.flatMap(({ types = [] }) => types))
      this.#types.set(keyOf(`${type.namespace}/${type.type}`), type);
  }

  get providers(): readonly ProviderDefinition<S>[] {
    return this.#providers;
  }

  find(namespace: string, types: readonly string[]): TypeDefinition<S> | undefined {
    return this.#types.get(keyOf([namespace, ...types].join("/")));
  }

  /** Returns the type of a stored resource. */
  typeOf(record: { readonly type: string }): TypeDefinition<S> {
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
  providersOf(namespace: string): readonly ProviderDefinition<S>[] {
    return this.#providers.filter((each) => keyOf(each.namespace) === keyOf(namespace));
  }

  typesIn(namespace: string): readonly TypeDefinition<S>[] {
    return this.providersOf(namespace).flatMap(({ types = [] }) => types);
  }
}
