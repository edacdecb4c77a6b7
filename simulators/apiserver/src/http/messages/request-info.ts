import {
  booleanOf,
  failures,
  type ListParameters,
  parseListParameters,
  type ResourceRef,
  StatusError,
  selectedName,
} from "@keelson/apimachinery";
import { pathSegmentName } from "@keelson/kinds";
import { type PathSegment, parsePath } from "./url-path.ts";

/**
 * Target of a request, parsed once from the method and URL. Authorization, limits, faults, metrics, admission and handlers all
 * use this value. They therefore cannot interpret the request differently.
 */
export type RequestInfo = ResourceInfo | PathInfo;

interface AnyInfo {
  /** Authorization verb, such as `create` or `deletecollection`. For non-resource paths, the method in lowercase. */
  readonly verb: string;
  /** Decoded path below the cluster's URL. */
  readonly path: string;
}

/** Request for a document, such as discovery or health. */
export interface PathInfo extends AnyInfo {
  readonly kind: "path";
  /** Decoded segments of `path`. An empty last segment is omitted. */
  readonly segments: readonly string[];
}

/** Request for objects. */
export interface ResourceInfo extends AnyInfo, ResourceRef {
  readonly kind: "resource";
  readonly namespace: string | undefined;
  /** Object name in the URL path. */
  readonly name: string | undefined;
  /** Name that the field selector of a list or watch requires. RBAC rules with `resourceNames` apply to this name. */
  readonly selectedName: string | undefined;
  readonly subresource: string | undefined;
  /** URL path below the subresource, as encoded by the client, with its leading slash. */
  readonly below: string;
  /** Selectors of a collection request, or the parse error. */
  readonly listParameters: ListParameters | StatusError;
  /** True if the path contains the verb: `/api/v1/watch/...`. */
  readonly verbInPath: boolean;
}

const methodVerbs: Readonly<Record<string, string>> = {
  GET: "get",
  HEAD: "get",
  POST: "create",
  PUT: "update",
  PATCH: "patch",
  DELETE: "delete",
};
/** Verbs that old clients write in the path before the resource. */
const pathVerbs: ReadonlySet<string> = new Set(["watch", "proxy"]);
const namespaceSubresources: ReadonlySet<string> = new Set(["status", "finalize"]);

const collectionVerbs: ReadonlySet<string> = new Set(["list", "watch", "deletecollection"]);
const noParameters = parseListParameters(() => undefined);

/**
 * Parses the method and URL of a request.
 * @throws StatusError 400 for a path that is not percent-encoded UTF-8
 */
export function parseRequestInfo(method: string, rawPath: string, query: URLSearchParams): RequestInfo {
  const { path, segments } = parsePath(rawPath);
  const [root, ...rest] = segments;
  if (root?.text === "api" && rest.length >= 2) return resourceInfo(method, path, "", rest, query);
  if (root?.text === "apis" && rest.length >= 3) {
    return resourceInfo(method, path, rest[0]?.text ?? "", rest.slice(1), query);
  }
  return { kind: "path", verb: method.toLowerCase(), path, segments: segments.map(({ text }) => text) };
}

function resourceInfo(
  method: string,
  path: string,
  group: string,
  [version, ...parts]: readonly PathSegment[],
  query: URLSearchParams,
): ResourceInfo {
  const verbInPath = pathVerbs.has(parts[0]?.text ?? "");
  const { namespace, rest } = scopeOf(verbInPath ? parts.slice(1) : parts);
  const [resource, name, subresource] = rest.map(({ text }) => text);
  const methodVerb = verbInPath ? (parts[0]?.text ?? "") : (methodVerbs[method] ?? "");
  const verb = name ? methodVerb : collectionVerb(methodVerb, query);
  const listParameters = collectionVerbs.has(verb) ? readListParameters(query) : noParameters;
  const selects = (verb === "list" || verb === "watch") && !verbInPath;
  return {
    kind: "resource",
    verb,
    path,
    group,
    version: version?.text ?? "",
    resource: resource ?? "",
    namespace: namespace || undefined,
    name: name || undefined,
    selectedName: selects ? nameSelectedBy(listParameters) : undefined,
    subresource: subresource || undefined,
    below: rest[2]?.after ?? "",
    listParameters,
    verbInPath,
  };
}

/** Splits a path into its namespace and the segments below it. */
function scopeOf(parts: readonly PathSegment[]) {
  const [first, namespace, second] = parts.map(({ text }) => text);
  const inNamespace = first === "namespaces" && second !== undefined && !namespaceSubresources.has(second);
  return inNamespace ? { namespace, rest: parts.slice(2) } : { namespace: undefined, rest: parts };
}

function collectionVerb(verb: string, query: URLSearchParams): string {
  if (verb === "delete") return "deletecollection";
  if (verb !== "get") return verb;
  return booleanOf(query.get("watch") ?? undefined) ? "watch" : "list";
}

function readListParameters(query: URLSearchParams): ListParameters | StatusError {
  try {
    return parseListParameters((name) => query.get(name) ?? undefined);
  } catch (error) {
    return error instanceof StatusError ? error : failures.internal(error);
  }
}

/** Returns the only name that the selector can match. Undefined if the selector is invalid or can match several names. */
function nameSelectedBy(parameters: ListParameters | StatusError): string | undefined {
  if (parameters instanceof StatusError) return undefined;
  const name = selectedName(parameters.fields);
  return name && !pathSegmentName(name) ? name : undefined;
}
