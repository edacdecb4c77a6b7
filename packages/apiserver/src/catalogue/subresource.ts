import type { ResourceType } from "../resource-type.ts";

/** What discovery tells of a subresource. `group` and `version` are there only when the kind is another group's. */
export interface Subresource {
  readonly kind: string;
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
}

const readWrite = ["get", "patch", "update"] as const;
/** Subresources that do not simply carry their parent's kind for reading and writing. */
const special: Readonly<Record<string, Subresource>> = {
  "namespaces/finalize": { kind: "Namespace", verbs: ["update"] },
  "pods/eviction": { kind: "Eviction", group: "policy", version: "v1", verbs: ["create"] },
};

/** The discovery facts of `type`'s subresource `name`, for example `status` or `scale`. */
export function subresourceOf(type: ResourceType, name: string): Subresource {
  const known = type.origin === "builtin" ? special[`${type.plural}/${name}`] : undefined;
  if (known) return known;
  if (name === "scale") return { kind: "Scale", group: "autoscaling", version: "v1", verbs: readWrite };
  return { kind: type.kind, verbs: readWrite };
}
