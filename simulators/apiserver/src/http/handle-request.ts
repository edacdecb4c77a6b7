import { randomUUID } from "node:crypto";
import { failures } from "@keelson/apimachinery";
import { actingUser } from "../auth/impersonation.ts";
import { requireAllowed } from "../auth/require-allowed.ts";
import type { Cluster } from "../cluster/cluster.ts";
import { injectFault } from "../faults/inject-fault.ts";
import { handleDiscovery } from "./discovery-handler.ts";
import { handleHealth, isPublic } from "./health-handler.ts";
import type { ApiRequest, PathRequest } from "./messages/request.ts";
import { sendError } from "./messages/respond.ts";
import { addWarning } from "./messages/warnings.ts";
import { handleMetrics } from "./metrics-handler.ts";
import { handleOpenPath } from "./open-path-handler.ts";
import { handleOpenApi } from "./openapi-handler.ts";
import { handleOpenId, isOpenId } from "./openid-handler.ts";
import { handleResource } from "./resource-handler.ts";
import { attributesOf } from "./resources/request-attributes.ts";

/** Authenticates and authorizes one request to a cluster, then calls the handler of the request. Never throws. */
export async function handleRequest(cluster: Cluster, request: ApiRequest): Promise<void> {
  try {
    await respond(cluster, request);
  } catch (error) {
    sendError(request.response, error, cluster.logger);
  }
}

async function respond(cluster: Cluster, request: ApiRequest): Promise<void> {
  const { info } = request;
  const auditId = String(request.incoming.headers["audit-id"] ?? randomUUID());
  request.response.setHeader("audit-id", auditId);
  if (!cluster.serving) throw failures.notServing();
  const openPath = cluster.openPath(info.path);
  if (openPath) return handleOpenPath(request, openPath);
  const requester = await cluster.authenticator.userOf(request.incoming);
  if (info.kind === "path" && isPublic(info)) {
    handleHealth(cluster, { ...request, info });
    return;
  }
  const user = await actingUser(cluster.authorizer, requester, request.incoming);
  if (user !== requester) {
    const fields = { auditId, user: requester.name, impersonatedUser: user.name };
    cluster.logger.debug(fields, "impersonated request");
  }
  if (info.verb === "") throw failures.methodNotAllowed();
  await requireAllowed(cluster.authorizer, user, attributesOf(info, cluster.context.directory));
  if (info.kind === "path") {
    await handleDocuments(cluster, { ...request, info });
    return;
  }
  const resource = cluster.context.directory.get(info);
  const ended = cluster.requests.begin(resource.type, info);
  request.response.once("close", () => ended(request.response.statusCode));
  if (resource.custom?.deprecationWarning) {
    addWarning(request.response, resource.custom.deprecationWarning);
  }
  const fault = cluster.faults?.forRequest({
    verb: info.verb,
    group: info.group,
    resource: info.resource,
    subresource: info.subresource ?? "",
    namespace: info.namespace ?? "",
    name: info.name ?? "",
    resourceVersion: request.query.get("resourceVersion") ?? "",
    user: user.name,
  });
  if (fault) await injectFault(fault, request, cluster.context.clock, cluster.signal);
  await handleResource({ cluster, request, user, info, resource });
}

async function handleDocuments(cluster: Cluster, request: PathRequest): Promise<void> {
  const { path, segments } = request.info;
  if (isOpenId(path)) await handleOpenId(cluster, request);
  else if (segments[0] === "openapi") await handleOpenApi(cluster, request);
  else if (path === "/metrics") handleMetrics(cluster, request);
  else handleDiscovery(cluster, request);
}
