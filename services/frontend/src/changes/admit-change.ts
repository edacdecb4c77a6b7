import { type AdminAction, acceptRequest, actionDigest, freezeAt, mayChangeIn } from "@keelson/admin-actions";
import { CloudError } from "@keelson/arm";
import type { JsonObject } from "@keelson/base";
import type { ClusterDocument } from "@keelson/model";
import type { RequestContext } from "../http/messages/request-context.ts";
import type { Service } from "../service/service.ts";

/** Header with the ID of the portal request that a person confirmed. */
export const requestHeader = "x-keelson-action-request";

interface ChangeDeps {
  readonly requestContext: RequestContext;
  readonly service: Service;
}

/** Properties of an admin action that determine whether the change rules permit it. */
type ChangingAction = Pick<AdminAction, "method" | "suffix" | "destructive" | "requested">;

/**
 * Applies the rules that restrict changes in addition to roles: change freezes, portal requests and their approval. Each portal
 * request permits a single action.
 * @throws CloudError Forbidden, NotFound, Conflict
 */
export async function admitChange(
  action: ChangingAction,
  parameters: JsonObject,
  cluster: ClusterDocument,
  deps: ChangeDeps,
): Promise<void> {
  const { requestContext, service } = deps;
  checkFreeze(deps, requestContext.reason);
  if (requestContext.header(requestHeader) !== undefined)
    return acceptNamedRequest(action, parameters, cluster, deps);
  if (!needsApproval(action, service)) return;
  throw new CloudError(
    "Forbidden",
    `'${action.suffix}' needs the approval of a second person. Request the action in the portal.`,
  );
}

/**
 * Accepts the portal request that the call's header `x-keelson-action-request` identifies.
 * @throws CloudError Forbidden, NotFound, Conflict
 */
export async function acceptNamedRequest(
  action: ChangingAction,
  parameters: JsonObject,
  cluster: ClusterDocument,
  { requestContext, service }: ChangeDeps,
): Promise<void> {
  const { subject, signal } = requestContext;
  const digest = actionDigest(
    `${action.method} ${action.suffix}`,
    action.requested?.(parameters) ?? parameters,
  );
  const id = requestContext.header(requestHeader) ?? "";
  const call = { id, subject, cluster, digest, needsApproval: needsApproval(action, service) };
  await acceptRequest(service.database, call, { clock: service.clock, signal });
}

function needsApproval({ destructive }: ChangingAction, { governance }: Service): boolean {
  return governance.approval !== undefined && destructive === true;
}

/**
 * Rejects changes during a change freeze.
 * @throws CloudError Forbidden
 */
function checkFreeze(
  { requestContext, service: { governance, clock } }: ChangeDeps,
  reason: string | undefined,
): void {
  const freeze = freezeAt(governance, clock.now());
  if (mayChangeIn(freeze, { isElevated: requestContext.hasRole("elevated"), reason })) return;
  const remedy = freeze?.emergency ? " In an emergency, use the role 'elevated' and state a reason." : "";
  throw new CloudError("Forbidden", `Changes are frozen until ${freeze?.until}: ${freeze?.reason}.${remedy}`);
}
