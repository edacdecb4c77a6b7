import { backoffMs, type Clock, type Logger, messageOf, withTimeout } from "@keelson/base";
import type { ActionStep, ConditionStep, Step } from "./graph.ts";
import type { LeaseGuard } from "./lease-guard.ts";
import type { RetryPolicy } from "./retry-policy.ts";
import { StepTimeoutError } from "./step-timeout-error.ts";

/** What one run of a step is given. */
export interface StepScope {
  readonly step: string;
  /** How often the step was started, this time included. */
  readonly attempt: number;
  /** Aborts at the step's time limit, when another step failed, and when the run is abandoned. */
  readonly signal: AbortSignal;
  readonly logger: Logger;
  /** Says how far a long step is; clients see it, now and then. */
  report(progress: StepProgress): void;
}

export interface StepProgress {
  /** 0 to 1. */
  readonly fraction: number;
  /** What is being done, in a few words. */
  readonly activity: string;
}

export interface StepDeps<Context> {
  readonly guard: LeaseGuard;
  /** Abandons the run: steps are aborted. */
  readonly signal: AbortSignal;
  /** No step starts any more, and those that only wait stop waiting. Those that act go on to their end. */
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
  /** Neither: the run ended first. */
  | { readonly kind: "interrupted" };

/** Runs one step to its outcome; transient failures are retried. Never throws. */
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
    // An error that comes from the end of the run says nothing about the step.
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
    const signal = withTimeout(deps.signal, step.timeoutMs);
    try {
      await step.run(deps.context(scopeOf(step, startedBefore, signal, deps)));
      return { kind: "finished" };
    } catch (error) {
      if (isOver(deps)) return { kind: "interrupted" };
      if (signal.aborted) return { kind: "failed", error: new StepTimeoutError(step, error) };
      const decision = deps.retryPolicy(error, { attempt, elapsedMs: deps.clock.monotonicMs() - startedMs });
      if (decision.kind === "stop") return { kind: "failed", error };
      if (attempt >= step.retry.attempts && !decision.unlimited) return { kind: "failed", error };
      const waitMs = decision.afterMs ?? backoffMs(step.retry, attempt);
      deps.logger.warn({ attempt, waitMs, error: messageOf(error) }, "step will be tried again");
      await deps.clock.sleep(waitMs, AbortSignal.any([deps.signal, deps.draining]));
    }
  }
}

const shortestPauseMs = 100;

async function executeCondition<Context>(
  step: ConditionStep<Context>,
  startedBefore: number,
  deps: StepDeps<Context>,
): Promise<Outcome> {
  const startedMs = deps.clock.monotonicMs();
  for (let attempt = 1; ; attempt++) {
    deps.guard.assertHeld();
    let lastError: unknown;
    const signal = withTimeout(deps.signal, step.timeoutMs);
    const elapsed = () => deps.clock.monotonicMs() - startedMs;
    try {
      const answer = await step.until(deps.context(scopeOf(step, startedBefore, signal, deps)));
      if (answer) return { kind: "finished" };
    } catch (error) {
      if (isOver(deps)) return { kind: "interrupted" };
      if (!signal.aborted && deps.retryPolicy(error, { attempt, elapsedMs: elapsed() }).kind === "stop") {
        return { kind: "failed", error };
      }
      lastError = error;
    }
    const elapsedMs = elapsed();
    if (elapsedMs >= step.timeoutMs) return { kind: "failed", error: new StepTimeoutError(step, lastError) };
    // A tenth of the time waited so far: late by a tenth at most, and still no storm of questions.
    const pauseMs = Math.min(
      step.everyMs,
      Math.max(shortestPauseMs, elapsedMs / 10),
      step.timeoutMs - elapsedMs,
    );
    await deps.clock.sleep(pauseMs, AbortSignal.any([deps.signal, deps.draining]));
  }
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
