import type { ResourceType, Subresource } from "./resource-type.ts";

const readWrite = ["get", "patch", "update"] as const;
export const streamVerbs = ["create", "get"] as const;
export const proxyVerbs = ["create", "delete", "get", "patch", "update"] as const;

/** Returns the properties of subresource `name` of `type`. Properties that the type does not override have default values. */
export function subresourceOf(type: ResourceType, name: string): Subresource {
  const usual = name === "scale" ? scale : { kind: type.kind, verbs: readWrite };
  return { ...usual, ...type.ownSubresources?.[name] };
}

const scale: Subresource = { kind: "Scale", group: "autoscaling", version: "v1", verbs: readWrite };
