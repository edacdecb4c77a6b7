import { WorkBudget, type WorkLimits } from "@keelson/base";

/**
 * Work limits of one request. Legitimate requests stay below these limits, because Kubernetes' own limits are lower. A body has
 * at most 3 MB and 40,000 properties, and the total expression cost is at most 10,000,000.
 */
export const requestLimits: WorkLimits = { nodes: 40_000_000, bytes: 256 * 1_024 * 1_024, timeMs: 10_000 };

/** Work budget of one request or one in-process call. */
export function requestBudget(): WorkBudget {
  return new WorkBudget(requestLimits);
}
