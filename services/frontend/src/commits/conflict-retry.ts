import { CloudError } from "@keelson/arm";
import type { Clock } from "@keelson/base";
import type { CommitResult } from "@keelson/database";
import { errors } from "./errors.ts";

export const conflict = Symbol("conflict");

/** Waits before each attempt, in milliseconds. Source: Azure/ARO-RP pkg/database/cosmosdb, retry on failed preconditions. */
const waitsMs = [0, 100, 200, 300, 400];

/**
 * Runs `attempt` again from its reads while it answers `conflict`: another write came in between.
 * @throws RequestNotAllowed (409) when every attempt met a conflict
 */
export async function retryConflicts<T>(
  clock: Clock,
  signal: AbortSignal,
  attempt: () => Promise<T | typeof conflict>,
): Promise<T> {
  for (const waitMs of waitsMs) {
    if (waitMs > 0) await clock.sleep(waitMs, signal);
    const result = await attempt();
    if (result !== conflict) return result;
  }
  throw new CloudError(
    "RequestNotAllowed",
    "The resource is being changed by other requests at the same time. Try again later.",
    { status: 409 },
  );
}

/** For results that the writer cannot expect, such as a lost lease where it holds none. */
export function unexpectedResult(result: CommitResult): Error {
  return errors.UnexpectedCommitResult(`The database answered a commit with '${result.kind}'.`);
}
