import { freezeAt, mayChangeIn, type RequestableAction } from "@keelson/admin-actions";
import { hasRole } from "@keelson/auth";
import type { ActionRequestDocument, ClusterDocument } from "@keelson/model";
import { portalErrors } from "../errors/portal-errors.ts";
import type { Login } from "../sign-in/login.ts";
import type { ActionRules } from "./action-forms.ts";
import { isTokenOf } from "./request-documents.ts";

export interface Submission {
  readonly action: RequestableAction;
  readonly cluster: ClusterDocument;
  readonly login: Login;
  readonly rules: ActionRules;
  readonly token: string;
  /** Cluster name as typed by the person. */
  readonly typedName: string | undefined;
  readonly now: Date;
}

/**
 * Returns the document after its submission. Undefined if the request was already submitted with this token.
 * @throws Forbidden for a different person, cluster or token, for a missing role or approval, or after the expiry time
 */
export function submitted(
  document: ActionRequestDocument,
  { action, cluster, login, rules, token, typedName, now }: Submission,
): ActionRequestDocument | undefined {
  const { requestedBy, clusterDocumentId, state, confirmation, decision, reason } = document;
  if (login.subject === undefined || requestedBy.subject !== login.subject)
    throw portalErrors.Forbidden("The action was requested by a different person.");
  if (clusterDocumentId !== cluster.id)
    throw portalErrors.Forbidden("The action was requested for an earlier cluster of this name.");
  if (!confirmation || !isTokenOf(document, token))
    throw portalErrors.Forbidden("The confirmation is of a different request.");
  if (state === "Submitted" || state === "Ended") return undefined;
  if (state !== "Ready") throw portalErrors.Forbidden("The action is not approved.");
  if (Date.parse(confirmation.expiresAt) <= now.getTime())
    throw portalErrors.Forbidden("The confirmation has expired. Request the action again.");
  checkRules(action, login, rules, reason, now);
  const isApproved = decision?.approved === true && decision.subject !== requestedBy.subject;
  if (action.destructive && rules.governance.approval && !isApproved)
    throw portalErrors.Forbidden("A second person must approve the action.");
  if (action.destructive && typedName !== cluster.openShiftCluster.name)
    throw portalErrors.Forbidden("Type the name of the cluster to confirm the action.");
  return { ...document, state: "Submitted", submittedAt: now.toISOString() };
}

/**
 * Checks that the person's role permits the action and that no change freeze forbids it. `reason` is the person's reason for a
 * change during a freeze.
 * @throws Forbidden if the role does not suffice, or if a change freeze forbids the action
 */
export function checkRules(
  action: RequestableAction,
  { role }: Login,
  { governance }: Pick<ActionRules, "governance">,
  reason: string | undefined,
  now: Date,
): void {
  if (!hasRole(role, action.role))
    throw portalErrors.Forbidden(`Your role '${role}' may not do this: it needs the role '${action.role}'.`);
  const freeze = action.mutating && !action.allowedInFreeze ? freezeAt(governance, now) : undefined;
  if (!mayChangeIn(freeze, { isElevated: role === "elevated", reason }))
    throw portalErrors.Forbidden(`Changes are frozen until ${freeze?.until}: ${freeze?.reason}`);
}
