/** A failed attempt of a step. */
export interface RetryContext {
  /** Attempts made in this run, the failed one included. */
  readonly attempt: number;
  /** Since the step was started in this run. */
  readonly elapsedMs: number;
}

/** What follows from a failed attempt: the step fails, or another attempt, after `afterMs` if the other side named a time. */
export type RetryDecision =
  | { readonly kind: "stop" }
  | {
      readonly kind: "retry";
      readonly afterMs?: number;
      /** The policy itself limits the retries; the step's own number of attempts does not count. */
      readonly unlimited?: boolean;
    };

export type RetryPolicy = (error: unknown, context: RetryContext) => RetryDecision;

/** A row of a policy that is written as a table: a class of errors, and what follows from them. */
export interface RetryRule {
  readonly matches: (error: unknown) => boolean;
  readonly decision: RetryDecision | RetryPolicy;
}

export const stop: RetryDecision = Object.freeze({ kind: "stop" });
export const retry: RetryDecision = Object.freeze({ kind: "retry" });

/** By the first row that matches; an error that no row knows is not retried. */
export function decideRetry(
  rules: readonly RetryRule[],
  error: unknown,
  context: RetryContext,
): RetryDecision {
  const rule = rules.find(({ matches }) => matches(error));
  if (!rule) return stop;
  return typeof rule.decision === "function" ? rule.decision(error, context) : rule.decision;
}
