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

/**
 * Codes of client errors that replace an original error. The original error, not its replacement, determines whether the step is
 * retried.
 */
const explainedCodes: ReadonlySet<string> = new Set(["DeploymentFailed", "ThrottlingLimitExceeded"]);

/**
 * Azure's error code for a request in a resource group that is still being deleted. The deleted group belonged to a previous
 * cluster with the same group name, or to an earlier attempt.
 */
const groupIsDeleting = "ResourceGroupBeingDeleted";

/** Status codes with which an API server refuses requests shortly after its start, before it has loaded users and roles. */
const startingUp: ReadonlySet<number> = new Set([401, 403]);

/** Retry rules for original errors, before their conversion to client errors. The first matching rule decides. */
const rules: readonly RetryRule[] = [
  { matches: (error) => error instanceof KubeError && startingUp.has(error.code), decision: retry },
  { matches: (error) => error instanceof KubeError && error.retry === "never", decision: stop },
  { matches: (error) => error instanceof KubeError, decision: retry },
  { matches: (error) => isCoded(error) && error.retry === "never", decision: stop },
  { matches: (error) => isCoded(error), decision: retry },
  { matches: isPreconditionFailed, decision: retry },
  { matches: (error) => azureErrorCode(error) === groupIsDeleting, decision: retry },
  // Matches throttling, server errors and network errors.
  { matches: (error) => retryAdvice(error).kind === "retry", decision: afterAzuresTime },
];

/**
 * Returns the retry policy of steps. It retries throttling, server errors, conflicts, network errors, and missing permissions
 * that may still propagate.
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

/** True if the operation may succeed when it is repeated later. */
export function isTransient(
  error: unknown,
  environment: Pick<ClusterEnvironment, "authorizationRetry">,
): boolean {
  const policy = retryPolicy(environment);
  // Evaluates the policy as for a first attempt, because a missing permission may propagate before the operation is repeated.
  const context = { attempt: 1, elapsedMs: 0 };
  return [error, causeOf(error)].some((each) => each !== undefined && policy(each, context).kind === "retry");
}

function afterAzuresTime(error: unknown): ReturnType<RetryPolicy> {
  const advice = retryAdvice(error);
  return advice.kind === "retry" ? advice : stop;
}

/**
 * Returns the original error that a client error replaces. The original error may be an authorization error that disappears when
 * Azure has propagated the permission.
 */
function causeOf(error: unknown): unknown {
  return error instanceof CloudError ? error.cause : undefined;
}
