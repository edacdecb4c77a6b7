import {
  type ActionContext,
  type ActionJournal,
  actionError,
  type ConnectCluster,
} from "@keelson/admin-actions";
import { CloudError } from "@keelson/arm";
import { type Clock, type Logger, timeLimit } from "@keelson/base";
import type { AdminActionState } from "@keelson/model";
import type { Pieces, Response } from "../../http/messages/response.ts";
import { type ActionRequest, recordedParameters } from "./action-request.ts";

export interface ActionEnd {
  readonly state: AdminActionState;
  readonly error?: unknown;
  /** Response of the action. Undefined if the action ended with an error. */
  readonly response?: Response;
}

export interface CarryOutOptions {
  readonly connectCluster: ConnectCluster;
  readonly journal: ActionJournal;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** Called once, after the last chunk of the response was sent. */
  readonly ended?: (end: ActionEnd) => Promise<void>;
}

/** Runs an action, from the connection to the cluster to the end of the response. Records the result of the action. */
export async function carryOut(request: ActionRequest, options: CarryOutOptions): Promise<Response> {
  const { connectCluster, journal, clock, logger } = options;
  const { action, parameters, document, correlationId } = request;
  const limit = action.long && timeLimit(action.long.limitMs);
  const signal = limit ? AbortSignal.any([options.signal, limit]) : options.signal;
  const startedMs = clock.monotonicMs();
  let context: ActionContext | undefined;
  let finished = false;
  const finish = async (error: unknown, response?: Response): Promise<void> => {
    if (finished) return;
    finished = true;
    const state = stateOf(error, signal);
    try {
      await context?.[Symbol.asyncDispose]();
    } finally {
      await options.ended?.({ state, ...(response ? { response } : { error }) });
    }
    const durationMs = Math.round(clock.monotonicMs() - startedMs);
    logger.info({ ...auditFacts(request, state), ...failureFacts(error), durationMs }, "admin action ended");
  };
  try {
    context = connectCluster(document, { correlationId, logger, signal });
    const response = await action.handle(context, parameters, journal);
    if (response.text) return { ...response, text: await guard(response.text, response, finish, signal) };
    if (response.items) return { ...response, items: await guard(response.items, response, finish, signal) };
    await finish(undefined, response);
    return response;
  } catch (cause) {
    const isLate = limit?.aborted && !options.signal.aborted;
    const error = isLate ? timeIsUp(request, cause) : cause;
    await finish(error);
    throw error;
  }
}

function auditFacts(request: ActionRequest, outcome: AdminActionState): object {
  const { action, caller, subject, role, reason, correlationId, requestId, document } = request;
  return {
    logKind: "adminAction",
    caller,
    subject,
    role,
    because: reason,
    correlationId,
    requestId,
    resourceId: document.openShiftCluster.id,
    action: action.suffix,
    method: action.method,
    parameters: recordedParameters(request),
    outcome,
  };
}

function failureFacts(error: unknown): object {
  if (error === undefined) return {};
  const { code, message } = actionError(error).body;
  return { code, reason: message };
}

function timeIsUp({ action }: ActionRequest, cause: unknown): CloudError {
  const minutes = Math.round((action.long?.limitMs ?? 0) / 60_000);
  return new CloudError("InternalServerError", `'${action.suffix}' did not end within ${minutes} minutes.`, {
    status: 504,
    foreignCode: "GatewayTimeout",
    cause,
  });
}

function stateOf(error: unknown, signal: AbortSignal): AdminActionState {
  if (error === undefined) return "Succeeded";
  return signal.aborted ? "Interrupted" : "Failed";
}

/**
 * Yields the same chunks as the input. The first chunk is read before the response begins, so that an earlier error results in a
 * regular error response. `finish` runs after the last chunk, or if the reader stops.
 */
async function guard<T>(
  pieces: Pieces<T>,
  response: Response,
  finish: (error: unknown, response?: Response) => Promise<void>,
  signal: AbortSignal,
): Promise<AsyncIterable<T>> {
  const iterator = toAsync(pieces);
  const first = await iterator.next();
  let begun = false;
  // If the reader disconnects before the first read, the generator below never runs its cleanup.
  const abandon = async () => {
    if (begun) return;
    await iterator.return?.().catch(() => undefined);
    await finish(signal.reason);
  };
  const onAbort = () => void abandon();
  signal.addEventListener("abort", onAbort, { once: true });
  async function* guarded(): AsyncGenerator<T> {
    begun = true;
    let failure: unknown = new Error("the caller has gone");
    try {
      for (let next = first; !next.done; next = await iterator.next()) yield next.value;
      failure = undefined;
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      signal.removeEventListener("abort", onAbort);
      // The action cleans up before the service records its end.
      await iterator.return?.().catch(() => undefined);
      await (failure === undefined ? finish(undefined, response) : finish(failure));
    }
  }
  return guarded();
}

async function* toAsync<T>(pieces: Pieces<T>): AsyncGenerator<T, void, undefined> {
  yield* pieces;
}
