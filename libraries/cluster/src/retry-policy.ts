import { CloudError } from "@keelson/arm";
import {
  azureErrorCode,
  isAuthorizationPropagation,
  isPreconditionFailed,
  retryAdvice,
} from "@keelson/azure";
import { isCoded } from "@keelson/base";
import { KubeError } from "@keelson/kube";
import { decideRetry, type RetryPolicy, type RetryRule, retry, stop } from "@keelson/workflow";
import type { ClusterEnvironment } from "./context/environment.ts";

/** Error codes with an explained cause. The cause then determines the retry. */
const explainedCodes: ReadonlySet<string> = new Set(["DeploymentFailed", "ThrottlingLimitExceeded"]);

/**
 * Azure's error code for a resource group that is still being deleted. A former cluster or an earlier attempt had the same group
 * name.
 */
const groupIsDeleting = "ResourceGroupBeingDeleted";

/** Status codes of a newly started API server. It recognizes users and roles with a delay. */
const startingUp: ReadonlySet<number> = new Set([401, 403]);

/** Retry rules for unconverted errors. The first matching rule decides. */
const rules: readonly RetryRule[] = [
  { matches: (error) => error instanceof KubeError && startingUp.has(error.code), decision: retry },
  { matches: (error) => error instanceof KubeError && error.retry === "never", decision: stop },
  { matches: (error) => error instanceof KubeError, decision: retry },
  { matches: (error) => isCoded(error) && error.retry === "never", decision: stop },
  { matches: (error) => isCoded(error), decision: retry },
  { matches: isPreconditionFailed, decision: retry },
  { matches: (error) => azureErrorCode(error) === groupIsDeleting, decision: retry },
  // Throttling, server errors and network errors.
  { matches: (error) => retryAdvice(error).kind === "retry", decision: afterAzuresTime },
];

/**
 * Retries throttling, server errors, conflicts, network errors and missing rights that may still propagate.
 */
export function retryPolicy({
  authorizationRetry: { everyMs, forMs },
}: Pick<ClusterEnvironment, "authorizationRetry">): RetryPolicy {
  const all: readonly RetryRule[] = [
    {
      matches: (error) => isAuthorizationPropagation(error) || isAuthorizationPropagation(causeOf(error)),
      decision: (_, { elapsedMs }) =>
        elapsedMs < forMs ? { kind: "retry", afterMs: everyMs, unlimited: true } : stop,
    },
    {
      matches: (error) => error instanceof CloudError && explainedCodes.has(error.body.code),
      decision: (error, context) => decideRetry(rules, causeOf(error), context),
    },
    ...rules,
  ];
  return (error, context) => decideRetry(all, error, context);
}

/** True if a later repetition of the operation may succeed. */
export function isTransient(
  error: unknown,
  environment: Pick<ClusterEnvironment, "authorizationRetry">,
): boolean {
  const policy = retryPolicy(environment);
  // The elapsed time is ignored, because missing rights may still propagate before the next attempt.
  const context = { attempt: 1, elapsedMs: 0 };
  return [error, causeOf(error)].some((each) => each !== undefined && policy(each, context).kind === "retry");
}

function afterAzuresTime(error: unknown): ReturnType<RetryPolicy> {
  const advice = retryAdvice(error);
  return advice.kind === "retry" ? advice : stop;
}

/** Returns the cause of an explained error. It may be a missing right that still propagates. */
function causeOf(error: unknown): unknown {
  return error instanceof CloudError ? error.cause : undefined;
}
