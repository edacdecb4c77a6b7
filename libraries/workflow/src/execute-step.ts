import { backoffMs, type Clock, type Logger, messageWithCause, untilAborted } from "@keelson/base";
import { clockLimit } from "./clock-limit.ts";
import type { ActionStep, ConditionStep, Step } from "./graph.ts";
import type { LeaseGuard } from "./lease-guard.ts";
import type { RetryPolicy } from "./retry-policy.ts";
import { retryMessage } from "./step-log.ts";
import { StepTimeoutError } from "./step-timeout-error.ts";

/** Parameters of one run of a step. */
export interface StepScope {
  readonly step: string;
  /** Number of starts of the step, including the current one. */
  readonly attempt: number;
  /** Aborts at the step's time limit, when a different step fails, or when the run is abandoned. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /** Reports the progress of a long step. The report is stored with a delay. */
  report(progress: StepProgress): void;
}

export interface StepProgress {
  /** Completed fraction, from 0 to 1. */
  readonly fraction: number;
  /** Short description of the current activity. */
  readonly activity: string;
}

export interface StepDeps<Context> {
  readonly guard: LeaseGuard;
  /** Aborts when the run is abandoned. The abort also stops running steps. */
  readonly signal: AbortSignal;
  /** Aborts when the process drains. No further steps start, and waiting conditions stop. Running actions complete. */
  readonly draining: AbortSignal;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly context: (scope: StepScope) => Context;
  readonly retryPolicy: RetryPolicy;
  readonly report: (progress: StepProgress) => void;
}

export type Outcome =
  | { readonly kind: "finished" }
  | { readonly kind: "failed"; readonly error: unknown }
  /** The run ended before the step finished or failed. */
  | { readonly kind: "interrupted" };

/** Runs one step until it finishes or fails. Retries transient failures. Never throws. */
export async function executeStep<Context>(
  step: Step<Context>,
  attempt: number,
  deps: StepDeps<Context>,
): Promise<Outcome> {
  const logger = deps.logger.child({ step: step.name });
  try {
    const outcome =
      step.kind === "action"
        ? await executeAction(step, attempt, { ...deps, logger })
        : await executeCondition(step, attempt, { ...deps, logger });
    // If the run has ended, an error of the step may be a mere consequence of this end. Such an error does not count as a
    // failure.
    return outcome.kind === "failed" && isOver(deps) ? { kind: "interrupted" } : outcome;
  } catch (error) {
    return isOver(deps) || deps.draining.aborted ? { kind: "interrupted" } : { kind: "failed", error };
  }
}

async function executeAction<Context>(
  step: ActionStep<Context>,
  startedBefore: number,
  deps: StepDeps<Context>,
): Promise<Outcome> {
  const startedMs = deps.clock.monotonicMs();
  for (let attempt = 1; ; attempt++) {
    deps.guard.assertHeld();
    try {
      await within(step.timeoutMs, deps, (signal) =>
        step.run(deps.context(scopeOf(step, startedBefore, signal, deps))),
      );
      return { kind: "finished" };
    } catch (error) {
      if (isOver(deps)) return { kind: "interrupted" };
      if (error instanceof TimeIsUp)
        return { kind: "failed", error: new StepTimeoutError(step, error.cause) };
      const elapsedMs = deps.clock.monotonicMs() - startedMs;
      const decision = deps.retryPolicy(error, { attempt, elapsedMs });
      if (decision.kind === "stop") return { kind: "failed", error };
      // No retry begins after the step's time limit. Otherwise the retries of a slow step could occupy a worker for much longer
      // than this limit.
      if (elapsedMs >= step.timeoutMs && !decision.unlimited)
        return { kind: "failed", error: new StepTimeoutError(step, error) };
      if (attempt >= step.retry.attempts && !decision.unlimited) return { kind: "failed", error };
      const waitMs = decision.afterMs ?? backoffMs(step.retry, attempt);
      deps.logger.warn({ attempt, waitMs, error: messageWithCause(error) }, retryMessage);
      await deps.clock.sleep(waitMs, AbortSignal.any([deps.signal, deps.draining]));
    }
  }
}

const shortestPauseMs = 100;
/** Maximum duration of a condition with progress, in ms. */
const longestConditionMs = 30 * 60_000;

async function executeCondition<Context>(
  step: ConditionStep<Context>,
  startedBefore: number,
  deps: StepDeps<Context>,
): Promise<Outcome> {
  const startedMs = deps.clock.monotonicMs();
  const longestMs = Math.max(step.timeoutMs, longestConditionMs);
  const elapsed = () => deps.clock.monotonicMs() - startedMs;
  /** Time limit from the start of the condition, in ms. Progress extends the limit. */
  let limitMs = step.timeoutMs;
  let token: string | undefined;
  let reported: string | undefined;
  for (let attempt = 1; ; attempt++) {
    deps.guard.assertHeld();
    let lastError: unknown;
    try {
      const found = await within(limitMs - elapsed(), deps, async (signal) => {
        const context = deps.context(scopeOf(step, startedBefore, signal, deps));
        return (await step.until(context)) || { token: await step.progress?.(context) };
      });
      if (found === true) return { kind: "finished" };
      if (token !== undefined && found.token !== token)
        limitMs = Math.min(elapsed() + step.timeoutMs, longestMs);
      token = found.token;
    } catch (error) {
      if (isOver(deps)) return { kind: "interrupted" };
      const isLate = error instanceof TimeIsUp;
      if (!isLate && deps.retryPolicy(error, { attempt, elapsedMs: elapsed() }).kind === "stop") {
        return { kind: "failed", error };
      }
      lastError = isLate ? error.cause : error;
      const message = isLate ? undefined : messageWithCause(error);
      // A condition polls often, so only changed errors are logged.
      if (message !== undefined && message !== reported)
        deps.logger.warn({ attempt, error: message }, retryMessage);
      reported = message;
    }
    const elapsedMs = elapsed();
    if (elapsedMs >= limitMs) return { kind: "failed", error: new StepTimeoutError(step, lastError) };
    // Except for a minimum, the pause between two polls is at most a tenth of the elapsed time. It therefore adds little delay,
    // and polls become less frequent.
    const pauseMs = Math.min(step.everyMs, Math.max(shortestPauseMs, elapsedMs / 10), limitMs - elapsedMs);
    await deps.clock.sleep(pauseMs, AbortSignal.any([deps.signal, deps.draining]));
  }
}

/**
 * Error of work that exceeded its time limit. If the work itself failed shortly after the abort, `cause` is the error of the
 * work.
 */
class TimeIsUp extends Error {}

/**
 * Runs work for at most `ms` on the clock. After this time, the work's signal aborts and the caller continues without waiting for
 * the work. An unresponsive peer can therefore not occupy a worker.
 * @throws TimeIsUp
 */
async function within<Context, T>(
  ms: number,
  { clock, signal }: StepDeps<Context>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  using limit = clockLimit(clock, ms);
  const running = work(AbortSignal.any([signal, limit.signal]));
  try {
    return await untilAborted(running, limit.signal);
  } catch (error) {
    if (!limit.signal.aborted) throw error;
    // Work that handles the signal rejects now. The error of the work is more specific than the timeout error.
    const cause = await Promise.race([
      running.then(
        () => undefined,
        (reason: unknown) => reason,
      ),
      soon(),
    ]);
    throw new TimeIsUp("the time is up", cause === undefined ? {} : { cause });
  }
}

/** Resolves after two event loop iterations. */
function soon(): Promise<undefined> {
  return new Promise((resolve) => setImmediate(() => setImmediate(() => resolve(undefined))));
}

function scopeOf<Context>(
  { name }: Step<Context>,
  attempt: number,
  signal: AbortSignal,
  { logger, report }: StepDeps<Context>,
): StepScope {
  return { step: name, attempt, signal, logger, report };
}

function isOver<Context>({ signal, guard }: StepDeps<Context>): boolean {
  if (signal.aborted || guard.signal.aborted) return true;
  try {
    guard.assertHeld();
    return false;
  } catch {
    return true;
  }
}
