import { type AdminAction, acceptRequest, actionDigest, freezeAt, mayChangeIn } from "@keelson/admin-actions";
import { CloudError } from "@keelson/arm";
import type { JsonObject } from "@keelson/base";
import type { ClusterDocument } from "@keelson/model";
import type { RequestContext } from "../http/messages/request-context.ts";
import type { Service } from "../service/service.ts";

/** Header by which the portal names the request that a person confirmed. */
const requestHeader = "x-keelson-action-request";

interface ChangeDeps {
  readonly requestContext: RequestContext;
  readonly service: Service;
}

/**
 * Checks the rules for changes beyond roles: change freezes, and requests of the portal with their approval. A request is
 * accepted once. @throws CloudError Forbidden, NotFound, Conflict
 */
export async function admitChange(
  action: AdminAction,
  parameters: JsonObject,
  cluster: ClusterDocument,
  { requestContext, service }: ChangeDeps,
): Promise<void> {
  const { governance, clock, database } = service;
  const { subject, reason, signal } = requestContext;
  checkFreeze({ requestContext, service }, reason);
  const needsApproval = governance.approval !== undefined && action.destructive === true;
  const id = requestContext.header(requestHeader);
  if (id !== undefined) {
    const name = `${action.method} ${action.suffix}`;
    const digest = actionDigest(name, action.requested?.(parameters) ?? parameters);
    await acceptRequest(database, { id, subject, cluster, digest, needsApproval }, { clock, signal });
  } else if (needsApproval) {
    throw new CloudError(
      "Forbidden",
      `'${action.suffix}' needs the approval of a second person. Request the action in the portal.`,
    );
  }
}

/** @throws CloudError Forbidden during a change freeze */
export function checkFreeze(
  { requestContext, service: { governance, clock } }: ChangeDeps,
  reason: string | undefined,
): void {
  const freeze = freezeAt(governance, clock.now());
  if (mayChangeIn(freeze, { isElevated: requestContext.hasRole("elevated"), reason })) return;
  const remedy = freeze?.emergency ? " In an emergency, use the role 'elevated' and state a reason." : "";
  throw new CloudError("Forbidden", `Changes are frozen until ${freeze?.until}: ${freeze?.reason}.${remedy}`);
}
