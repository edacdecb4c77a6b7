/** Failed attempt of a step. */
export interface RetryContext {
  /** Number of attempts in this run, including the failed one. */
  readonly attempt: number;
  /** Time in ms since the step started in this run. */
  readonly elapsedMs: number;
}

/** Decision after a failed attempt: fail the step or retry. `afterMs` is the delay that the server specified. */
export type RetryDecision =
  | { readonly kind: "stop" }
  | {
      readonly kind: "retry";
      readonly afterMs?: number;
      /** True if the policy itself limits the retries. The step's maximum number of attempts then does not apply. */
      readonly unlimited?: boolean;
    };

export type RetryPolicy = (error: unknown, context: RetryContext) => RetryDecision;

/** Rule of a retry policy: a class of errors with its decision. */
export interface RetryRule {
  readonly matches: (error: unknown) => boolean;
  readonly decision: RetryDecision | RetryPolicy;
}

export const stop: RetryDecision = Object.freeze({ kind: "stop" });
export const retry: RetryDecision = Object.freeze({ kind: "retry" });

/** Returns the decision of the first matching rule. Errors without a rule are not retried. */
export function decideRetry(
  rules: readonly RetryRule[],
  error: unknown,
  context: RetryContext,
): RetryDecision {
  const rule = rules.find(({ matches }) => matches(error));
  if (!rule) return stop;
  return typeof rule.decision === "function" ? rule.decision(error, context) : rule.decision;
}
