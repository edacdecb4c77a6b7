import type { RequestAttributes } from "./request-attributes.ts";

/** Name of the Kubernetes user that sessions without elevation have in a cluster. */
export const sreUser = "system:aro-sre";

const readVerbs: ReadonlySet<string> = new Set(["get", "list", "watch"]);
/** Resources that callers create to review their own permissions. Such a request changes nothing in the cluster. */
const selfReviews: ReadonlySet<string> = new Set([
  "authorization.k8s.io/selfsubjectaccessreviews",
  "authorization.k8s.io/selfsubjectrulesreviews",
  "authentication.k8s.io/selfsubjectreviews",
]);

/**
 * True if a session without elevation may send the request. It may read logs and all objects except Secrets and users'
 * credentials. The role `system:aro-sre` in the cluster has the same rules. This check is necessary, because the cluster's
 * administrators can change that role.
 */
export function maySreAsk(request: RequestAttributes): boolean {
  if (request.kind === "path") return request.verb === "get" || request.verb === "head";
  const { verb, group, resource, subresource } = request;
  if (verb === "create" && subresource === undefined) return selfReviews.has(`${group}/${resource}`);
  if (!readVerbs.has(verb)) return false;
  if (group === "oauth.openshift.io" || (group === "" && resource === "secrets")) return false;
  return subresource === undefined || subresource === "log";
}

/** Returns the 403 response that an API server sends if `user` lacks the required permission, as JSON. */
export function forbidden(request: RequestAttributes, user: string): string {
  return JSON.stringify({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: `${subjectOf(request)}forbidden: User "${user}" cannot ${actionOf(request)}`,
    reason: "Forbidden",
    details: detailsOf(request),
    code: 403,
  });
}

function subjectOf(request: RequestAttributes): string {
  if (request.kind === "path") return "";
  const { group, resource, name } = request;
  const subject = group === "" ? resource : `${resource}.${group}`;
  return name === undefined ? `${subject} is ` : `${subject} "${name}" is `;
}

function actionOf(request: RequestAttributes): string {
  if (request.kind === "path") return `${request.verb} path "${request.path}"`;
  const { verb, group, resource, subresource, namespace } = request;
  const what = subresource === undefined ? resource : `${resource}/${subresource}`;
  const where = namespace === undefined ? "at the cluster scope" : `in the namespace "${namespace}"`;
  return `${verb} resource "${what}" in API group "${group}" ${where}`;
}

function detailsOf(request: RequestAttributes): Readonly<Record<string, string>> {
  if (request.kind === "path") return {};
  const { group, resource, name } = request;
  return { ...(name === undefined ? {} : { name }), ...(group === "" ? {} : { group }), kind: resource };
}
