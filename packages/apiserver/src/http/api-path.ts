import type { ResourceRef } from "../logical-cluster.ts";

/** A path below `/api/v1` or `/apis/{group}/{version}`, read as a request for objects. */
export interface ApiPath extends ResourceRef {
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
}

const namespaceSubresources: ReadonlySet<string> = new Set(["status", "finalize"]);

/** `undefined` for paths that are not about objects: discovery, health and the like. */
export function parseApiPath(segments: readonly string[]): ApiPath | undefined {
  const [root] = segments;
  const [group, version, rest] =
    root === "api"
      ? ["", segments[1], segments.slice(2)]
      : root === "apis"
        ? [segments[1], segments[2], segments.slice(3)]
        : [undefined, undefined, []];
  if (group === undefined || version === undefined) return undefined;
  const [first, namespace, second = ""] = rest;
  const inNamespace = first === "namespaces" && rest.length > 2 && !namespaceSubresources.has(second);
  const [resource, name, ...subresource] = inNamespace ? rest.slice(2) : rest;
  if (!resource) return undefined;
  return {
    group,
    version,
    resource,
    namespace: inNamespace ? namespace : undefined,
    name,
    subresource: subresourceIn(subresource),
  };
}

/** What follows `proxy` is the path behind it, not part of the subresource's name. */
function subresourceIn(segments: readonly string[]): string | undefined {
  if (segments.length === 0) return undefined;
  return segments[0] === "proxy" ? "proxy" : segments.join("/");
}
