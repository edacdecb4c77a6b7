import type { ResourceType } from "../resource-type.ts";

/** What discovery tells of a subresource. `group` and `version` are there only when the kind is another group's. */
export interface Subresource {
  readonly kind: string;
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
}

const readWrite = ["get", "patch", "update"] as const;
const create = ["create"] as const;
const stream = ["create", "get"] as const;
const passThrough = ["create", "delete", "get", "patch", "update"] as const;
/** Subresources that do not simply carry their parent's kind for reading and writing. */
const special: Readonly<Record<string, Subresource>> = {
  "namespaces/finalize": { kind: "Namespace", verbs: ["update"] },
  "nodes/proxy": { kind: "NodeProxyOptions", verbs: passThrough },
  "pods/attach": { kind: "PodAttachOptions", verbs: stream },
  "pods/binding": { kind: "Binding", verbs: create },
  "pods/eviction": { kind: "Eviction", group: "policy", version: "v1", verbs: create },
  "pods/exec": { kind: "PodExecOptions", verbs: stream },
  "pods/log": { kind: "Pod", verbs: ["get"] },
  "pods/portforward": { kind: "PodPortForwardOptions", verbs: stream },
  "pods/proxy": { kind: "PodProxyOptions", verbs: passThrough },
  "serviceaccounts/token": {
    kind: "TokenRequest",
    group: "authentication.k8s.io",
    version: "v1",
    verbs: create,
  },
  "services/proxy": { kind: "ServiceProxyOptions", verbs: passThrough },
};

/** The discovery facts of `type`'s subresource `name`, for example `status` or `scale`. */
export function subresourceOf(type: ResourceType, name: string): Subresource {
  const own = type.ownSubresources?.[name];
  if (own) return own;
  const known = type.origin === "builtin" ? special[`${type.plural}/${name}`] : undefined;
  if (known) return known;
  if (name === "scale") return { kind: "Scale", group: "autoscaling", version: "v1", verbs: readWrite };
  return { kind: type.kind, verbs: readWrite };
}
