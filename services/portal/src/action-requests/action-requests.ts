import { randomUUID } from "node:crypto";
import { needsReason, type RequestableAction } from "@keelson/admin-actions";
import { type Clock, type JsonValue, messageOf, Secret, timeLimit } from "@keelson/base";
import type { ActionRequestDocument, ClusterDocument, ServiceDatabase } from "@keelson/model";
import type {
  ActionOutcome,
  ActionRequestView,
  AdminRead,
  NewActionRequest,
  RunAction,
} from "@keelson/portal-api";
import type { AdminApi, AdminResponse } from "../admin-api/admin-api.ts";
import { outcomeOf, outcomeOfAction, unknownProgress } from "../admin-api/outcome.ts";
import { failureOf, portalErrors } from "../errors/portal-errors.ts";
import type { Login } from "../sign-in/login.ts";
import { type ActionCall, checkCall, targetOf } from "./action-call.ts";
import { type ActionRules, findAction, nameOf } from "./action-forms.ts";
import {
  changeRequest,
  confirmationMs,
  findRequest,
  listRequests,
  newConfirmation,
  type RequestKey,
  storeRequest,
} from "./request-documents.ts";
import { requestView, type ViewParts } from "./request-view.ts";
import { checkRules, submitted } from "./submission.ts";

export interface ActionRequestsDeps {
  readonly database: ServiceDatabase;
  readonly adminApi: AdminApi;
  readonly rules: ActionRules;
  readonly clock: Clock;
}

/** Person and cluster of a request. */
export interface Caller {
  readonly cluster: ClusterDocument;
  readonly login: Login;
  readonly signal: AbortSignal;
}

/**
 * Time limit in ms for the call to the admin API and for storing its result. The call continues even if the browser disconnects.
 */
const submissionMs = 90_000;
/** Maximum length of response content that is stored with a request. */
const maxStored = 65_536;

/**
 * Actions that people request, approve, confirm and run. Each request runs only once, even if several portal processes receive
 * it.
 */
export class ActionRequests {
  readonly #deps: ActionRequestsDeps;

  constructor(deps: ActionRequestsDeps) {
    this.#deps = deps;
  }

  /** Stores a request. Returns the request with a token that runs it. If the request needs an approval, it has no token yet. */
  async prepare(
    { cluster, login, signal }: Caller,
    { action: name, query, body, reason: given }: NewActionRequest,
  ): Promise<ActionRequestView> {
    const { database, adminApi, rules, clock } = this.#deps;
    const action = changingAction(name);
    const reason = given?.trim() || undefined;
    const now = clock.now();
    checkRules(action, login, rules, reason, now);
    if (rules.requireReason && needsReason(action.role) && reason === undefined)
      throw portalErrors.BadRequest("The action needs a reason.");
    const { subject, username, role } = login;
    if (subject === undefined || !(await adminApi.isUsableBy(login, signal)))
      throw portalErrors.NotConfigured("The sign-in has no token for the admin API. Sign in again.");
    const call = callOf(query, body);
    const { digest, recorded } = checkCall(action, call, login, reason);
    const { approval } = rules.governance;
    const waits = action.destructive && approval ? approval : undefined;
    const { token, confirmation } = newConfirmation(clock);
    const document: ActionRequestDocument = {
      id: randomUUID(),
      partitionKey: cluster.partitionKey,
      clusterKey: cluster.key,
      clusterDocumentId: cluster.id,
      newestFirst: -now.getTime(),
      action: nameOf(action),
      digest,
      parameters: recorded,
      call: new Secret(JSON.stringify(call)),
      requestedBy: { subject, username, role },
      ...(reason === undefined ? {} : { reason }),
      state: waits ? "AwaitingApproval" : "Ready",
      createdAt: now.toISOString(),
      expiresAt: new Date(
        now.getTime() + (waits ? waits.validMinutes * 60_000 : confirmationMs),
      ).toISOString(),
      ...(waits ? {} : { confirmation }),
    };
    await storeRequest(database, document, signal);
    return this.#view(document, login, waits ? {} : { token });
  }

  async list({ cluster, login, signal }: Caller): Promise<readonly ActionRequestView[]> {
    const documents = await listRequests(this.#deps.database, cluster, signal);
    return documents.map((document) => this.#view(document, login));
  }

  /** Returns one request with its outcome, or with the progress of its running action. */
  async get(caller: Caller, id: string): Promise<ActionRequestView> {
    const { document } = await findRequest(this.#deps.database, keyOf(caller, id), caller.signal);
    return this.#followed(document, caller, bodyOf(document));
  }

  /** Approves or rejects a request of a different person. @throws Forbidden, Conflict */
  async decide(caller: Caller, id: string, approved: boolean): Promise<ActionRequestView> {
    const { database, clock } = this.#deps;
    const { login, signal } = caller;
    const { document } = await changeRequest(
      database,
      keyOf(caller, id),
      (current) => {
        const { subject, username, role } = login;
        const now = clock.now();
        if (subject === undefined || role !== "elevated")
          throw portalErrors.Forbidden("Elevated access is required to approve an action.");
        if (subject === current.requestedBy.subject)
          throw portalErrors.Forbidden("A second person must approve the action.");
        if (current.clusterDocumentId !== caller.cluster.id)
          throw portalErrors.Forbidden("The action was requested for an earlier cluster of this name.");
        if (current.state !== "AwaitingApproval" || Date.parse(current.expiresAt) <= now.getTime())
          throw portalErrors.Conflict("The action does not wait for approval.");
        return {
          ...current,
          state: approved ? "Ready" : "Rejected",
          decision: { subject, username, at: now.toISOString(), approved },
        };
      },
      signal,
    );
    return this.#view(document, login);
  }

  /**
   * Returns a new confirmation token for the person's approved request.
   * @throws Forbidden, Conflict
   */
  async confirm(caller: Caller, id: string): Promise<ActionRequestView> {
    const { database, clock } = this.#deps;
    const { login, signal } = caller;
    const { token, confirmation } = newConfirmation(clock);
    const { document } = await changeRequest(
      database,
      keyOf(caller, id),
      (current) => {
        if (login.subject === undefined || current.requestedBy.subject !== login.subject)
          throw portalErrors.Forbidden("The action was requested by a different person.");
        if (current.state !== "Ready" || Date.parse(current.expiresAt) <= clock.now().getTime())
          throw portalErrors.Conflict("The action does not wait for confirmation. Request it again.");
        return { ...current, confirmation };
      },
      signal,
    );
    return this.#view(document, login, { token });
  }

  /**
   * Runs a request once. A second call with the same token returns the state of the first run.
   * @throws Forbidden, NotFound
   */
  async run(
    caller: Caller,
    id: string,
    { token, cluster: typedName }: RunAction,
  ): Promise<ActionRequestView> {
    const { database, rules, clock } = this.#deps;
    const { cluster, login } = caller;
    const signal = timeLimit(submissionMs);
    const key = keyOf(caller, id);
    let action: RequestableAction | undefined;
    const { document, isChanged } = await changeRequest(
      database,
      key,
      (current) => {
        action = changingAction(current.action);
        return submitted(current, { action, cluster, login, rules, token, typedName, now: clock.now() });
      },
      signal,
    );
    if (!isChanged || !action) return this.#followed(document, caller);
    const result = await this.#call(action, document, { ...caller, signal });
    const { document: ended } = await changeRequest(
      database,
      key,
      (current) => ({ ...current, ...result }),
      signal,
    );
    return this.#followed(ended, caller);
  }

  async #call(
    action: RequestableAction,
    document: ActionRequestDocument,
    { cluster, login, signal }: Caller,
  ): Promise<Pick<ActionRequestDocument, "actionId" | "outcome" | "state">> {
    const call: ActionCall = JSON.parse(document.call.reveal());
    try {
      const response = await this.#deps.adminApi.call(
        login,
        {
          method: action.method,
          target: targetOf(action, cluster.openShiftCluster.id, call),
          body: call.body === undefined ? undefined : JSON.stringify(call.body),
          headers: {
            "x-keelson-action-request": document.id,
            "x-ms-correlation-request-id": document.id,
            ...(document.reason === undefined ? {} : { "x-keelson-reason": headerText(document.reason) }),
            ...(action.long ? { prefer: "respond-async" } : {}),
          },
        },
        signal,
      );
      const actionId = response.status === 202 ? response.location?.split("/").at(-1) : undefined;
      if (actionId !== undefined) return { state: "Submitted", actionId };
      return { state: "Ended", outcome: stored(outcomeOf(response)) };
    } catch (error) {
      const { code, message } = failureOf(error);
      const unknown = `${message} ${messageOf(Object(error).cause ?? "")}`.trim();
      // The call is not repeated and its outcome is `Unknown`, because the action may have run although the call failed.
      const outcome = { state: "Unknown", content: "", truncated: false } as const;
      return { state: "Ended", outcome: stored({ ...outcome, error: { code, message: unknown } }) };
    }
  }

  async #followed(
    document: ActionRequestDocument,
    { cluster, login, signal }: Caller,
    body?: string,
  ): Promise<ActionRequestView> {
    const { actionId, outcome } = document;
    if (outcome) return this.#view(document, login, { outcome: JSON.parse(outcome.reveal()), body });
    if (actionId === undefined) return this.#view(document, login, { body });
    const target = `/admin${cluster.openShiftCluster.id}/actions/${encodeURIComponent(actionId)}`;
    return this.#view(document, login, { outcome: await this.#progress(login, target, signal), body });
  }

  /** Reads the state of a running action. If the admin API does not respond, the action counts as running. */
  async #progress(login: Login, target: string, signal: AbortSignal): Promise<ActionOutcome> {
    try {
      return outcomeOfAction(await this.#deps.adminApi.call(login, { method: "GET", target }, signal));
    } catch (error) {
      const { status, code, message } = failureOf(error);
      if (status < 502) throw error;
      return unknownProgress({ code, message });
    }
  }

  #view(document: ActionRequestDocument, login: Login, more: ViewParts = {}): ActionRequestView {
    return requestView(document, login, this.#deps.clock.now(), more);
  }
}

/** Runs an action that only reads data, and returns its result as a string. @throws BadRequest, Forbidden */
export async function readByAction(
  deps: ActionRequestsDeps,
  caller: Caller,
  read: AdminRead,
): Promise<ActionOutcome> {
  return outcomeOf(await callReadingAction(deps, caller, read));
}

/**
 * Runs an action that only reads data, with the person's token. Returns the response of the admin API.
 * @throws BadRequest, Forbidden
 */
export async function callReadingAction(
  { adminApi, rules, clock }: ActionRequestsDeps,
  { cluster, login, signal }: Caller,
  { action: name, query }: AdminRead,
): Promise<AdminResponse> {
  const action = findAction(name);
  if (!action || action.mutating) throw portalErrors.BadRequest("There is no such action that reads.");
  checkRules(action, login, rules, undefined, clock.now());
  const call = callOf(query, undefined);
  checkCall(action, call, login, undefined);
  const target = targetOf(action, cluster.openShiftCluster.id, call);
  return adminApi.call(login, { method: "GET", target }, signal);
}

function changingAction(name: string): RequestableAction {
  const action = findAction(name);
  if (action?.mutating) return action;
  throw portalErrors.BadRequest("There is no such action that changes a cluster.");
}

function callOf(query: Readonly<Record<string, string>>, body: unknown): ActionCall {
  const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ""));
  // The cast is safe, because the body was parsed from JSON.
  return { query: given, ...(body === undefined ? {} : { body: body as JsonValue }) };
}

function bodyOf({ call }: ActionRequestDocument): string | undefined {
  const { body }: ActionCall = JSON.parse(call.reveal());
  return body === undefined ? undefined : JSON.stringify(body, undefined, 2);
}

function keyOf({ cluster }: Caller, id: string): RequestKey {
  return { partitionKey: cluster.partitionKey, clusterKey: cluster.key, id };
}

function stored(outcome: ActionOutcome): Secret {
  const { content } = outcome;
  const isLong = content.length > maxStored;
  const kept = isLong ? { ...outcome, content: content.slice(0, maxStored), truncated: true } : outcome;
  return new Secret(JSON.stringify(kept));
}

/** Returns a valid header value: one line of visible ASCII characters. */
function headerText(text: string): string {
  return text.replace(/[^\x20-\x7e]+/g, "?");
}
