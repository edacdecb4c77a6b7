import type { ActionRequestDocument } from "@keelson/model";
import type { ActionOutcome, ActionRequestView } from "@keelson/portal-api";
import type { Login } from "../sign-in/login.ts";

/** Optional properties of the view of a request. */
export interface ViewParts {
  readonly token?: string;
  readonly outcome?: ActionOutcome;
  /** Indented JSON. */
  readonly body?: string | undefined;
}

/** Returns a request in the format of the portal API. `token` is the token that confirms the request. */
export function requestView(
  document: ActionRequestDocument,
  { subject, role }: Login,
  now: Date,
  { token, outcome, body }: ViewParts = {},
): ActionRequestView {
  const { id, action, parameters, requestedBy, reason, createdAt, expiresAt, decision, confirmation } =
    document;
  const isOwn = subject !== undefined && requestedBy.subject === subject;
  const state = stateOf(document, now, outcome);
  const mayDecide = state === "AwaitingApproval" && !isOwn && subject !== undefined && role === "elevated";
  return {
    id,
    action,
    parameters: { ...parameters },
    state,
    requestedBy: requestedBy.username,
    isOwn,
    mayDecide,
    ...(reason === undefined ? {} : { reason }),
    createdAt,
    expiresAt,
    ...(decision
      ? { decision: { by: decision.username, at: decision.at, approved: decision.approved } }
      : {}),
    ...(token !== undefined && confirmation
      ? { confirmation: { token, expiresAt: confirmation.expiresAt } }
      : {}),
    ...(body !== undefined && (isOwn || mayDecide) ? { body } : {}),
    ...(outcome ? { outcome } : {}),
  };
}

function stateOf(
  { state, expiresAt, confirmation }: ActionRequestDocument,
  now: Date,
  outcome: ActionOutcome | undefined,
): ActionRequestView["state"] {
  if (state === "Submitted" && outcome && outcome.state !== "Running") return "Ended";
  const waits = state === "AwaitingApproval" || state === "Ready";
  const end = Math.max(Date.parse(expiresAt), Date.parse(confirmation?.expiresAt ?? expiresAt));
  return waits && end <= now.getTime() ? "Expired" : state;
}
