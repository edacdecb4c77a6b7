import { type Clock, silentLogger } from "@keelson/base";
import { executeStep, type Outcome, type StepScope } from "../execute-step.ts";
import type { Step } from "../graph.ts";
import type { LeaseGuard } from "../lease-guard.ts";
import type { RetryPolicy } from "../retry-policy.ts";

export interface StepRun<Context> {
  readonly context: (scope: StepScope) => Context;
  readonly retryPolicy: RetryPolicy;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Runs one step without a graph. Its lease does not expire. */
export function runStep<Context>(step: Step<Context>, run: StepRun<Context>): Promise<Outcome> {
  const guard: LeaseGuard = {
    lease: { collection: "", partitionKey: "", id: "", owner: "", generation: 1, expiresAt: new Date(0) },
    attempt: 1,
    survivedLosses: [],
    signal: run.signal,
    assertHeld: () => run.signal.throwIfAborted(),
  };
  const draining = new AbortController().signal;
  return executeStep(step, 1, { ...run, guard, draining, logger: silentLogger, report: () => {} });
}
