import { ArmError } from "./arm-error.ts";
import type { ResourceType } from "./resource-type.ts";

/** The resource types that exist, found in any case. */
export class Registry {
  readonly #types = new Map<string, ResourceType>();

  constructor(types: readonly ResourceType[]) {
    for (const type of types) this.#types.set(`${type.namespace}/${type.type}`.toLowerCase(), type);
  }

  find(namespace: string, types: readonly string[]): ResourceType | undefined {
    return this.#types.get([namespace, ...types].join("/").toLowerCase());
  }

  /** The type of a stored resource. */
  typeOf(record: { readonly type: string }): ResourceType {
    const type = this.#types.get(record.type.toLowerCase());
    if (!type) throw new Error(`stored resource of the unknown type ${record.type}`);
    return type;
  }

  /** @throws ArmError 404, as ARM words it */
  unknownType(namespace: string, types: readonly string[], apiVersion: string): ArmError {
    const known = this.namespaces().some((each) => each.toLowerCase() === namespace.toLowerCase());
    return known
      ? new ArmError(
          404,
          "InvalidResourceType",
          `The resource type '${types.join("/")}' could not be found in the namespace '${namespace}' for api version '${apiVersion}'.`,
        )
      : new ArmError(404, "InvalidResourceNamespace", `The resource namespace '${namespace}' is invalid.`);
  }

  namespaces(): readonly string[] {
    return [...new Set([...this.#types.values()].map((type) => type.namespace))];
  }

  typesIn(namespace: string): readonly ResourceType[] {
    return [...this.#types.values()].filter(
      (type) => type.namespace.toLowerCase() === namespace.toLowerCase(),
    );
  }
}
