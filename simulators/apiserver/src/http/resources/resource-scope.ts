import { failures, type ResourceType, subresourceOf } from "@keelson/apimachinery";
import { pathSegmentName } from "@keelson/kinds";
import type { ResourceInfo } from "../messages/request-info.ts";

/**
 * Requires that the resource serves the path and supports the method.
 * @throws StatusError 400, 404, 405
 */
export function requireServedPath(info: ResourceInfo, type: ResourceType, method: string): void {
  requireScope(info, type);
  requireVerb(info, type, method);
}

/**
 * Requires a path that matches the resource's scope. A cluster-scoped resource has no path in a namespace. A namespaced object
 * has no path outside a namespace.
 * @throws StatusError 400, 404, 405
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

/**
 * Requires that the resource supports the verb. Paths below a subresource exist only for `proxy`.
 * @throws StatusError 404, 405
 */
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
  // Only the `proxy` subresource supports HEAD, because it forwards HEAD requests.
  if (method === "HEAD" && subresource !== "proxy") throw failures.methodNotAllowed();
}
