import { CloudError } from "@keelson/arm";
import {
  azureErrorCode,
  isAuthorizationPropagation,
  isPreconditionFailed,
  retryAdvice,
} from "@keelson/azure";
import { isCoded } from "@keelson/base";
import { KubeError } from "@keelson/kube";
import type { Advice, Trouble } from "@keelson/workflow";
import type { ClusterEnvironment } from "./environment.ts";

const stop: Advice = { kind: "stop" };
const retry: Advice = { kind: "retry" };

/** Codes of errors that are told to customers, and may be worth another try before. */
const retried: ReadonlySet<string> = new Set(["DeploymentFailed", "ThrottlingLimitExceeded"]);

/** What is asked of a group that is still being deleted, for a former cluster or by an earlier try. */
const groupIsGoing = "ResourceGroupBeingDeleted";

/** Also the answers of an API server that has just started, and knows its users and their roles only a moment later. */
const startingUp: ReadonlySet<number> = new Set([401, 403]);

/** Which troubles of a step pass by themselves: throttling, server errors, conflicts, the network, new rights. */
export function stepAdviser({ authorizationRetry }: Pick<ClusterEnvironment, "authorizationRetry">) {
  return (error: unknown, { elapsedMs }: Trouble): Advice => {
    if (isAuthorizationPropagation(error) || isAuthorizationPropagation(causeOf(error))) {
      const { everyMs, forMs } = authorizationRetry;
      return elapsedMs < forMs ? { kind: "retry", afterMs: everyMs, unlimited: true } : stop;
    }
    // Whether they are is their cause's to say.
    if (error instanceof CloudError && retried.has(error.body.code)) return adviceOn(error.cause);
    return adviceOn(error);
  };
}

function adviceOn(error: unknown): Advice {
  if (error instanceof KubeError)
    return error.retry === "never" && !startingUp.has(error.code) ? stop : retry;
  if (isCoded(error)) return error.retry === "never" ? stop : retry;
  if (isPreconditionFailed(error) || azureErrorCode(error) === groupIsGoing) return retry;
  const advice = retryAdvice(error);
  if (advice.kind === "terminal") return stop;
  return { kind: "retry", ...(advice.afterMs === undefined ? {} : { afterMs: advice.afterMs }) };
}

/** True for what ended an operation although it may succeed when it is tried again later. */
export function isTransient(
  error: unknown,
  environment: Pick<ClusterEnvironment, "authorizationRetry">,
): boolean {
  // However long it has lasted: rights that still spread are for the next try.
  const advise = stepAdviser(environment);
  const trouble = { attempt: 1, elapsedMs: 0 };
  return [error, causeOf(error)].some((each) => each !== undefined && advise(each, trouble).kind === "retry");
}

/** A missing right that is already told in the customer's words may be there in a minute all the same. */
function causeOf(error: unknown): unknown {
  return error instanceof CloudError ? error.cause : undefined;
}
