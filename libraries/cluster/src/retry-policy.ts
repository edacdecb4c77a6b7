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

/** Codes of errors in the customer's words whose cause decides. */
const explainedCodes: ReadonlySet<string> = new Set(["DeploymentFailed", "ThrottlingLimitExceeded"]);

/** Azure's answer while a group is being deleted, that of a former cluster or by an earlier attempt. */
const groupIsDeleting = "ResourceGroupBeingDeleted";

/** An API server that has just started knows its users and their roles only a moment later. */
const startingUp: ReadonlySet<number> = new Set([401, 403]);

/** Errors as they were thrown. The first row that matches decides. */
const rules: readonly RetryRule[] = [
  { matches: (error) => error instanceof KubeError && startingUp.has(error.code), decision: retry },
  { matches: (error) => error instanceof KubeError && error.retry === "never", decision: stop },
  { matches: (error) => error instanceof KubeError, decision: retry },
  { matches: (error) => isCoded(error) && error.retry === "never", decision: stop },
  { matches: (error) => isCoded(error), decision: retry },
  { matches: isPreconditionFailed, decision: retry },
  { matches: (error) => azureErrorCode(error) === groupIsDeleting, decision: retry },
  // Throttling, server errors, the network.
  { matches: (error) => retryAdvice(error).kind === "retry", decision: afterAzuresTime },
];

/** Which errors of a step are retried: throttling, server errors, conflicts, the network, rights that still propagate. */
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

/** True for what ended an operation although it may succeed when it is tried again later. */
export function isTransient(
  error: unknown,
  environment: Pick<ClusterEnvironment, "authorizationRetry">,
): boolean {
  const policy = retryPolicy(environment);
  // However long it has lasted: rights that still propagate are for the next try.
  const context = { attempt: 1, elapsedMs: 0 };
  return [error, causeOf(error)].some((each) => each !== undefined && policy(each, context).kind === "retry");
}

function afterAzuresTime(error: unknown): ReturnType<RetryPolicy> {
  const advice = retryAdvice(error);
  return advice.kind === "retry" ? advice : stop;
}

/** A missing right may be there in a minute, even if the error says it in the customer's words already. */
function causeOf(error: unknown): unknown {
  return error instanceof CloudError ? error.cause : undefined;
}
