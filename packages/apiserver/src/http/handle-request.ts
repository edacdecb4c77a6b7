import { randomUUID } from "node:crypto";
import { type Attributes, requireAllowed } from "../auth/attributes.ts";
import { actingUser } from "../auth/impersonation.ts";
import { anonymous, type User } from "../auth/user.ts";
import type { Cluster } from "../cluster/cluster.ts";
import { suffer } from "../faults/suffer.ts";
import { booleanOf } from "../registry/list-query.ts";
import { failures } from "../status/status-error.ts";
import { handleOpenPath } from "../virtual/open-path.ts";
import { type ApiPath, parseApiPath } from "./api-path.ts";
import { handleDiscovery } from "./discovery-handler.ts";
import { handleHealth, isPublic } from "./health-handler.ts";
import { handleMetrics } from "./metrics-handler.ts";
import { handleOpenApi } from "./openapi-handler.ts";
import { handleOpenId, isOpenId } from "./openid-handler.ts";
import type { ApiRequest } from "./request.ts";
import { handleResource } from "./resource-handler.ts";
import { sendError } from "./respond.ts";

/** Answers one request to a cluster: who asks, may they, then what they ask. Never throws. */
export async function handleRequest(cluster: Cluster, request: ApiRequest): Promise<void> {
  try {
    await answer(cluster, request);
  } catch (error) {
    sendError(request.response, error, cluster.logger);
  }
}

async function answer(cluster: Cluster, request: ApiRequest): Promise<void> {
  const auditId = String(request.incoming.headers["audit-id"] ?? randomUUID());
  request.response.setHeader("audit-id", auditId);
  if (!cluster.serving) throw failures.notServing();
  const openPath = cluster.openPath(request.path);
  if (openPath) return handleOpenPath(request, openPath);
  const requester = await cluster.authenticator.userOf(request.incoming);
  if (isPublic(request.path)) {
    handleHealth(cluster, request);
    return;
  }
  const user = actingUser(cluster.authorizer, requester, request.incoming);
  if (user !== requester) {
    const fields = { auditId, user: requester.name, impersonatedUser: user.name };
    cluster.logger.debug(fields, "request of one user as another");
  }
  const path = parseApiPath(request.segments);
  const verb = path ? objectVerb(request, path) : pathVerb(request.method);
  authorize(cluster, user, attributesOf(cluster, request, path, verb));
  if (!path) {
    await handleDocuments(cluster, request);
    return;
  }
  const resource = cluster.context.directory.get(path);
  const ended = cluster.requests.begin(resource.type, path, verb);
  request.response.once("close", () => ended(request.response.statusCode));
  if (resource.custom?.deprecationWarning) {
    request.response.appendHeader("warning", `299 - ${JSON.stringify(resource.custom.deprecationWarning)}`);
  }
  const fault = cluster.faults?.forRequest({
    verb,
    group: path.group,
    resource: path.resource,
    subresource: path.subresource ?? "",
    namespace: path.namespace ?? "",
    name: path.name ?? "",
    resourceVersion: request.query.get("resourceVersion") ?? "",
    user: user.name,
  });
  if (fault) await suffer(fault, request, cluster.context.clock, cluster.signal);
  await handleResource({ cluster, request, user, path, resource, verb });
}

async function handleDocuments(cluster: Cluster, request: ApiRequest): Promise<void> {
  if (isOpenId(request.path)) await handleOpenId(cluster, request);
  else if (request.segments[0] === "openapi") handleOpenApi(cluster, request);
  else if (request.path === "/metrics") handleMetrics(cluster, request);
  else handleDiscovery(cluster, request);
}

/** @throws StatusError 401 for whoever has shown nothing, 403 */
function authorize({ authorizer }: Cluster, user: User, attributes: Attributes): void {
  if (user === anonymous && !authorizer.allows(user, attributes)) throw failures.unauthorized();
  requireAllowed(authorizer, user, attributes);
}

function attributesOf(
  { context }: Cluster,
  request: ApiRequest,
  path: ApiPath | undefined,
  verb: string,
): Attributes {
  if (!path) return { kind: "path", verb, path: request.path };
  const { group, resource, subresource, namespace, name } = path;
  const standsForNamespace =
    (group === "" && resource === "namespaces") ||
    context.directory.find(path)?.declared?.standsForNamespace === true;
  return {
    kind: "resource",
    verb,
    group,
    resource: subresource ? `${resource}/${subresource}` : resource,
    namespace: namespace ?? (standsForNamespace ? (name ?? "") : ""),
    name: name ?? (collective.has(verb) ? nameSelected(request.query) : ""),
  };
}

/** Verbs on collections: rules for some names hold for them too, when they are about one object. */
const collective: ReadonlySet<string> = new Set(["list", "watch", "deletecollection"]);

function nameSelected(query: URLSearchParams): string {
  return /(?:^|,)metadata\.name==?([^,=!]+)(?:,|$)/.exec(query.get("fieldSelector") ?? "")?.[1] ?? "";
}

function objectVerb({ method, query }: ApiRequest, { name, subresource }: ApiPath): string {
  switch (method) {
    case "GET":
    case "HEAD": {
      const watch = booleanOf(query.get("watch") ?? undefined) ?? false;
      if (watch && subresource === undefined) return "watch";
      return name === undefined ? "list" : "get";
    }
    case "POST":
      return "create";
    case "PUT":
      return "update";
    case "PATCH":
      return "patch";
    case "DELETE":
      return name === undefined ? "deletecollection" : "delete";
    default:
      throw failures.methodNotAllowed();
  }
}

function pathVerb(method: string): string {
  return method === "HEAD" ? "get" : method.toLowerCase();
}
