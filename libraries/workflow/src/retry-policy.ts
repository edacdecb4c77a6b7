/** A failed attempt of a step. */
export interface RetryContext {
  /** Attempts in this run, including the failed one. */
  readonly attempt: number;
  /** Since the step was started in this run. */
  readonly elapsedMs: number;
}

/**
 * Decision after a failed attempt: failure of the step, or a retry, after `afterMs` if the server specified a
 * delay.
 */
export type RetryDecision =
  | { readonly kind: "stop" }
  | {
      readonly kind: "retry";
      readonly afterMs?: number;
      /** True if the policy limits the retries itself. The step's own number of attempts does not apply. */
      readonly unlimited?: boolean;
    };

export type RetryPolicy = (error: unknown, context: RetryContext) => RetryDecision;

/** Row of a table policy: a class of errors and the decision for them. */
export interface RetryRule {
  readonly matches: (error: unknown) => boolean;
  readonly decision: RetryDecision | RetryPolicy;
}

export const stop: RetryDecision = Object.freeze({ kind: "stop" });
export const retry: RetryDecision = Object.freeze({ kind: "retry" });

/** Applies the first matching row. Other errors are not retried. */
export function decideRetry(
  rules: readonly RetryRule[],
  error: unknown,
  context: RetryContext,
): RetryDecision {
  const rule = rules.find(({ matches }) => matches(error));
  if (!rule) return stop;
  return typeof rule.decision === "function" ? rule.decision(error, context) : rule.decision;
}
