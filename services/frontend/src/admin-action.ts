import { type ActionContext, type ActionJournal, actionError } from "@keelson/admin-actions";
import { type JsonObject, untilAborted } from "@keelson/base";
import type { AdminActionDocument } from "@keelson/model";
import type { ActionRequest } from "./action-request.ts";
import { actionPath, actionView } from "./action-view.ts";
import type { Answer } from "./answer.ts";
import type { Exchange } from "./exchange.ts";
import { clusterNotFound, findCluster } from "./found-cluster.ts";
import type { Route } from "./route.ts";
import { adminClusterPath } from "./routes/paths.ts";
import type { Service } from "./service.ts";
import { uncheckedVersion } from "./version-rule.ts";

/** Something that administrators do to one cluster, as data: `adminAction` makes its route. */
export interface AdminAction<P extends JsonObject = JsonObject> {
  readonly method: Route["method"];
  /** What its path has behind the cluster's, lower case. With the method, its name. */
  readonly suffix: string;
  /** Changes the cluster: it has the cluster alone, in all replicas, without operations and maintenance. */
  readonly mutating: boolean;
  /** Work that was planned: it is not signalled as unplanned maintenance. */
  readonly planned?: boolean;
  /** May take longer than requests usually may. One that changes the cluster may then also run without its caller. */
  readonly long?: LongAction;
  /** What the request asks for, checked. @throws CloudError */
  read(exchange: Exchange): P;
  /** What of it may be kept and shown; all of it when absent. Not for resumable actions, which need all. */
  recorded?(parameters: P): JsonObject;
  /** Errors of Azure and of the cluster may be thrown as they are. Pieces of the answer are part of the action. */
  handle(context: ActionContext, parameters: P, journal: ActionJournal): Promise<Answer>;
}

export interface LongAction {
  readonly limitMs: number;
  /** Another process may run it again when this one dies: it goes by what it finds, and by its journal. */
  readonly resumable?: boolean;
  /** Goes on when its caller hangs up. */
  readonly detached?: boolean;
}

/** The route of an action, below `/admin` and the path of the cluster. */
export function adminAction(action: AdminAction): Route {
  return {
    method: action.method,
    path: `${adminClusterPath}/${action.suffix}`,
    versions: uncheckedVersion,
    authorization: "caller",
    ...(action.long ? { unlimited: true } : {}),
    async handle(exchange, service) {
      try {
        return await perform(action, exchange, service);
      } catch (error) {
        throw actionError(error);
      }
    },
  };
}

/** The route of an action that also needs the service. `make` is called for each request. */
export function serviceAction<P extends JsonObject>(
  { method, suffix }: Pick<AdminAction, "method" | "suffix">,
  make: (service: Service, exchange: Exchange) => Pick<AdminAction<P>, "read" | "handle">,
): Route {
  const shape = { method, suffix, mutating: false };
  const bare = { read: () => ({}), handle: async () => ({ status: 200 }) };
  return {
    ...adminAction({ ...shape, ...bare }),
    handle: (exchange, service) =>
      adminAction({ ...shape, ...make(service, exchange) }).handle(exchange, service),
  };
}

async function perform(action: AdminAction, exchange: Exchange, service: Service): Promise<Answer> {
  const { database, actions } = service;
  const parameters = action.read(exchange);
  const stored = await findCluster(exchange, database);
  if (!stored) throw clusterNotFound(exchange);
  const request: ActionRequest = {
    action,
    parameters,
    document: stored.document,
    requestId: exchange.requestId,
    caller: exchange.header("x-ms-client-principal-name"),
    correlationId: exchange.header("x-ms-correlation-request-id"),
  };
  const callersTime = AbortSignal.any([exchange.signal, exchange.gone]);
  if (!action.mutating) return actions.observe(request, callersTime);
  const run = await actions.begin(request, exchange.signal);
  // It may have waited for its turn.
  const begun = { ...request, document: run.cluster ?? stored.document };
  if (!action.long) return actions.run(run, begun, callersTime);
  if (wantsAsync(exchange)) {
    void actions.runDetached(run, begun);
    return accepted(exchange, service, run.document);
  }
  if (!action.long.detached) return actions.run(run, begun, callersTime);
  return untilAborted(actions.runDetached(run, begun), callersTime);
}

/** RFC 7240, or a query for tools that set no headers. */
function wantsAsync(exchange: Exchange): boolean {
  const preferences = (exchange.header("prefer") ?? "").toLowerCase().split(/[,;]/);
  return preferences.some((each) => each.trim() === "respond-async") || exchange.query("async") === "true";
}

function accepted(exchange: Exchange, service: Service, document: AdminActionDocument): Answer {
  return {
    status: 202,
    body: actionView(document),
    headers: {
      location: new URL(actionPath(document), exchange.callerUrl()).href,
      "preference-applied": "respond-async",
      "retry-after": `${service.retryAfterSeconds}`,
    },
  };
}
