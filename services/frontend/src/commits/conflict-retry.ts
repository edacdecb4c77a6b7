import { CloudError } from "@keelson/arm";
import type { Clock } from "@keelson/base";
import type { CommitResult } from "@keelson/database";
import { errors } from "./errors.ts";

export const conflict = Symbol("conflict");

/** Waiting time in ms before each attempt. Source: Azure/ARO-RP pkg/database/cosmosdb, retry on failed preconditions. */
const waitsMs = [0, 100, 200, 300, 400];

/**
 * Calls `attempt` again while it returns `conflict`. In each call, `attempt` reads the documents again, so that it sees the
 * concurrent write.
 * @throws RequestNotAllowed (409) if every attempt ended with a conflict
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

/**
 * Returns the error for a commit result that cannot occur for this write. An example is a lost lease if the write uses no lease.
 */
export function unexpectedResult(result: CommitResult): Error {
  return errors.UnexpectedCommitResult(`The database returned '${result.kind}' for a commit.`);
}
