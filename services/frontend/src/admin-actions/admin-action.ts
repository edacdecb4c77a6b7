import { type AdminAction, actionError } from "@keelson/admin-actions";
import { type JsonObject, untilAborted } from "@keelson/base";
import type { AdminActionDocument } from "@keelson/model";
import { admitChange } from "../changes/admit-change.ts";
import { clusterNotFound, findCluster } from "../clusters/find-cluster.ts";
import { adminClusterPath } from "../http/messages/paths.ts";
import type { RequestContext } from "../http/messages/request-context.ts";
import type { Response } from "../http/messages/response.ts";
import { uncheckedVersion } from "../http/messages/version-rule.ts";
import type { Route } from "../http/route.ts";
import type { Service } from "../service/service.ts";
import { actionView } from "./recorded-actions.ts";
import { actionPath } from "./running/action-path.ts";
import type { ActionRequest } from "./running/action-request.ts";

/** Returns the route of an action. Its path consists of `/admin`, the cluster's path and the action's suffix. */
export function adminAction(action: AdminAction): Route {
  return {
    method: action.method,
    path: `${adminClusterPath}/${action.suffix}`,
    versions: uncheckedVersion,
    ...(action.long ? { unlimited: true } : {}),
    async handle(requestContext, service) {
      try {
        return await perform(action, requestContext, service);
      } catch (error) {
        throw actionError(error);
      }
    },
  };
}

/** Returns the route of an action that needs data of the service. `make` creates the action for each request. */
export function serviceAction<P extends JsonObject>(
  { method, suffix }: Pick<AdminAction, "method" | "suffix">,
  make: (service: Service, requestContext: RequestContext) => Pick<AdminAction<P>, "read" | "handle">,
): Route {
  const shape = { method, suffix, mutating: false };
  const bare = { read: () => ({}), handle: async () => ({ status: 200 }) };
  return {
    ...adminAction({ ...shape, ...bare }),
    handle: (requestContext, service) =>
      adminAction({ ...shape, ...make(service, requestContext) }).handle(requestContext, service),
  };
}

async function perform(
  action: AdminAction,
  requestContext: RequestContext,
  service: Service,
): Promise<Response> {
  const { database, actions } = service;
  const parameters = action.read(requestContext);
  const stored = await findCluster(requestContext, database);
  if (!stored) throw clusterNotFound(requestContext);
  const request: ActionRequest = {
    action,
    parameters,
    document: stored.document,
    requestId: requestContext.requestId,
    caller: requestContext.administrator,
    callerName: requestContext.subjectName,
    subject: requestContext.subject,
    role: requestContext.role,
    reason: requestContext.reason,
    correlationId: requestContext.header("x-ms-correlation-request-id"),
  };
  const callersTime = AbortSignal.any([requestContext.signal, requestContext.gone]);
  if (!action.mutating) return actions.observe(request, callersTime);
  await admitChange(action, parameters, stored.document, { requestContext, service });
  const run = await actions.begin(request, requestContext.signal);
  // The document is the cluster's current document, because a preceding action may have changed the cluster during the wait.
  const begun = { ...request, document: run.cluster ?? stored.document };
  if (!action.long) return actions.run(run, begun, callersTime);
  if (wantsAsync(requestContext)) {
    void actions.runDetached(run, begun);
    return accepted(requestContext, service, run.document);
  }
  if (!action.long.detached) return actions.run(run, begun, callersTime);
  return untilAborted(actions.runDetached(run, begun), callersTime);
}

/** True if the caller prefers an asynchronous response (RFC 7240). Tools that cannot set headers use a query parameter. */
function wantsAsync(requestContext: RequestContext): boolean {
  const preferences = (requestContext.header("prefer") ?? "").toLowerCase().split(/[,;]/);
  return (
    preferences.some((each) => each.trim() === "respond-async") || requestContext.query("async") === "true"
  );
}

function accepted(requestContext: RequestContext, service: Service, document: AdminActionDocument): Response {
  return {
    status: 202,
    body: actionView(document),
    headers: {
      location: new URL(actionPath(document), requestContext.callerUrl()).href,
      "preference-applied": "respond-async",
      "retry-after": `${service.retryAfterSeconds}`,
    },
  };
}
