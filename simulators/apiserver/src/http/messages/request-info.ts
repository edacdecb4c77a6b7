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
 * What a request asks for, read once from its method and URL: authorization, limits, faults, metrics, admission and the
 * handlers all go by it, so that none of them takes the request for another one.
 */
export type RequestInfo = ResourceInfo | PathInfo;

interface AnyInfo {
  /** As authorization names it: `create`, `deletecollection`, `watch` and so on; the method in lower case for paths. */
  readonly verb: string;
  /** Below the cluster's own URL, decoded. */
  readonly path: string;
}

/** A request for a document: discovery, health and the like. */
export interface PathInfo extends AnyInfo {
  readonly kind: "path";
  /** The decoded segments of `path`; one at the end that is empty is left out. */
  readonly segments: readonly string[];
}

/** A request for objects. */
export interface ResourceInfo extends AnyInfo, ResourceRef {
  readonly kind: "resource";
  readonly namespace: string | undefined;
  /** The name in the path. */
  readonly name: string | undefined;
  /** The one name that a list or a watch selects: rules for that name hold for it. */
  readonly selectedName: string | undefined;
  readonly subresource: string | undefined;
  /** What follows the subresource, from its slash on and as the client spelt it. */
  readonly below: string;
  /** Of verbs on collections: what they select, or why that cannot be read. */
  readonly listParameters: ListParameters | StatusError;
  /** Whether the path, not the method, says that this is a watch: `/api/v1/watch/...`. */
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
/** Verbs that old clients put into the path, before the resource. */
const pathVerbs: ReadonlySet<string> = new Set(["watch", "proxy"]);
const namespaceSubresources: ReadonlySet<string> = new Set(["status", "finalize"]);

const collectionVerbs: ReadonlySet<string> = new Set(["list", "watch", "deletecollection"]);
const noParameters = parseListParameters(() => undefined);

/** @throws StatusError 400 for a path that is not percent-encoded UTF-8 */
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

/** The namespace that a path is about, and what it names there. */
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

/** Only a selector that was read, and that no other object can match, stands for a name. */
function nameSelectedBy(parameters: ListParameters | StatusError): string | undefined {
  if (parameters instanceof StatusError) return undefined;
  const name = selectedName(parameters.fields);
  return name && !pathSegmentName(name) ? name : undefined;
}
