import { failures, type ResourceType, subresourceOf } from "@keelson/apimachinery";
import { pathSegmentName } from "@keelson/kinds";
import type { ResourceInfo } from "../messages/request-info.ts";

/**
 * Requires a path that the resource serves and a method that it supports. @throws StatusError 400, 404, 405
 */
export function requireServedPath(info: ResourceInfo, type: ResourceType, method: string): void {
  requireScope(info, type);
  requireVerb(info, type, method);
}

/**
 * Requires the scope of the resource. Cluster-scoped resources are not found in a namespace, nor namespaced
 * ones outside. @throws StatusError 400, 404, 405
 */
function requireScope({ namespace, name, subresource, verb }: ResourceInfo, type: ResourceType): void {
  if (type.namespaced ? name !== undefined && !namespace : namespace !== undefined) {
    throw failures.noSuchPath();
  }
  if (type.namespaced && !namespace && verb !== "list" && verb !== "watch") {
    throw type.origin === "custom" ? failures.noSuchPath() : failures.methodNotAllowed();
  }
  if (subresource !== undefined && name === undefined) throw failures.badRequest("name must be provided");
  requireSegment("Namespace", namespace);
  requireSegment("Name", name);
}

function requireSegment(what: string, text = ""): void {
  const why = pathSegmentName(text);
  if (why) throw failures.badRequest(`${what} parameter invalid: ${JSON.stringify(text)}: ${why}`);
}

/** @throws StatusError 404 for a path below a resource without nested paths, 405 */
function requireVerb(
  { verb, subresource, below, verbInPath }: ResourceInfo,
  type: ResourceType,
  method: string,
): void {
  if (subresource !== undefined && !type.subresources.includes(subresource)) throw failures.noSuchPath();
  if (below !== "" && below !== "/" && subresource !== "proxy") throw failures.noSuchPath();
  if (verbInPath && (subresource !== undefined || verb !== "watch" || !type.verbs.includes(verb))) {
    throw failures.noSuchPath();
  }
  const known = subresource === undefined ? type.verbs : subresourceOf(type, subresource).verbs;
  if (!known.includes(verb) || (verbInPath && method !== "GET")) throw failures.methodNotAllowed();
  // HEAD is only supported by the proxy, which forwards it.
  if (method === "HEAD" && subresource !== "proxy") throw failures.methodNotAllowed();
}
