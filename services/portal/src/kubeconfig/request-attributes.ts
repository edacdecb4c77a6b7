/**
 * Request attributes in the form in which an API server's authorizers receive them. Source: kubernetes
 * `apiserver/pkg/endpoints/request`.
 */
export type RequestAttributes =
  | {
      readonly kind: "resource";
      readonly verb: string;
      /** API group. Empty for the core group. */
      readonly group: string;
      readonly namespace?: string;
      readonly resource: string;
      readonly subresource?: string;
      readonly name?: string;
    }
  | { readonly kind: "path"; readonly verb: string; readonly path: string };

const verbs: Readonly<Record<string, string>> = {
  GET: "get",
  HEAD: "get",
  POST: "create",
  PUT: "update",
  PATCH: "patch",
  DELETE: "delete",
};

/** Parses the attributes of a request. `target` is the path of the request with its query. */
export function requestAttributes(method: string, target: string): RequestAttributes {
  const [path = "/", query = ""] = splitOnce(target, "?");
  const parts = path
    .split("/")
    .filter((part) => part !== "")
    .map(decodeURIComponent);
  const [root, ...rest] = parts;
  const [group, version, ...resource] = root === "api" ? ["", ...rest] : root === "apis" ? rest : [];
  if (group === undefined || version === undefined || resource.length === 0)
    return { kind: "path", verb: method.toLowerCase(), path };
  return resourceAttributes(method, group, resource, new URLSearchParams(query));
}

function resourceAttributes(
  method: string,
  group: string,
  parts: readonly string[],
  query: URLSearchParams,
): RequestAttributes {
  // API servers still support the deprecated paths that contain the verb, for example `watch`.
  const [first, ...others] = parts;
  const isWatchPath = first === "watch" && others.length > 0;
  const segments = isWatchPath || (first === "proxy" && others.length > 0) ? others : parts;
  const isNamespaced = segments[0] === "namespaces" && segments.length > 2 && !isNamespacePart(segments[2]);
  const namespace = segments[0] === "namespaces" ? segments[1] : undefined;
  const [resource = "", name, subresource] = isNamespaced ? segments.slice(2) : segments;
  return {
    kind: "resource",
    verb: first === "proxy" && others.length > 0 ? "proxy" : verbOf(method, name, isWatchPath, query),
    group,
    ...(namespace === undefined ? {} : { namespace }),
    resource,
    ...(subresource === undefined ? {} : { subresource }),
    ...(name === undefined ? {} : { name }),
  };
}

/** True if the segment is a subresource of a namespace. */
function isNamespacePart(segment: string | undefined): boolean {
  return segment === "status" || segment === "finalize";
}

function verbOf(
  method: string,
  name: string | undefined,
  isWatchPath: boolean,
  query: URLSearchParams,
): string {
  const verb = verbs[method] ?? method.toLowerCase();
  const watches = query.get("watch");
  if (isWatchPath) return "watch";
  if (verb === "get" && watches !== null && watches !== "false" && watches !== "0") return "watch";
  if (name !== undefined) return verb;
  return verb === "get" ? "list" : verb === "delete" ? "deletecollection" : verb;
}

function splitOnce(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}
