import { WorkBudget, type WorkLimits } from "@keelson/base";

/**
 * What answering one request may take. Kubernetes' own limits are met first by all that clients send in good faith: a
 * body of 3 MB and 40,000 members, expressions that cost 10,000,000 together.
 */
export const requestLimits: WorkLimits = { nodes: 40_000_000, bytes: 256 * 1_024 * 1_024, timeMs: 10_000 };

/** A budget for one request, or for one call of those that work in the server's own process. */
export function requestBudget(): WorkBudget {
  return new WorkBudget(requestLimits);
}
