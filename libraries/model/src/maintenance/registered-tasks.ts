import type { Collection } from "@keelson/database";
import type { PoolWorkerDocument } from "../documents/pool-documents.ts";

/** Partition of `poolWorkers` in which running actuators register their maintenance tasks. */
export const actuatorWorkers = "mimo-actuator";

/** Maximum number of registrations to read. The limit suffices, because actuators of the same version register the same tasks. */
const limit = 1_000;

/** Returns the IDs of all tasks that running actuators can execute. Undefined if no actuator is registered. */
export async function registeredTasks(
  { collections }: { readonly collections: { readonly poolWorkers: Collection<PoolWorkerDocument> } },
  signal: AbortSignal,
): Promise<ReadonlySet<string> | undefined> {
  const { items } = await collections.poolWorkers.list({ partitionKey: actuatorWorkers, limit }, signal);
  if (items.length === 0) return undefined;
  return new Set(items.flatMap(({ document }) => document.tasks ?? []));
}
