import { type Clock, sharedResult, timeLimit } from "@keelson/base";
import type { JournalDocument, ServiceDatabase } from "@keelson/model";
import type { StepDurations } from "@keelson/portal-api";

const maxAgeMs = 600_000;
const readMs = 30_000;
const pageSize = 500;
/** Maximum number of journal entries to read. The first entries are a random sample, because the IDs of operations are random. */
const maxEntries = 10_000;
const maxSteps = 500;

/**
 * Returns a function that reads the median duration of each step over all clusters. Only steps that succeeded in their first
 * attempt count. A result is cached for ten minutes.
 */
export function stepDurationsReader(
  database: ServiceDatabase,
  clock: Clock,
): (signal: AbortSignal) => Promise<StepDurations> {
  return sharedResult({ clock, maxAgeMs, work: () => readStepDurations(database, timeLimit(readMs)) });
}

async function readStepDurations(database: ServiceDatabase, signal: AbortSignal): Promise<StepDurations> {
  const durations = new Map<string, number[]>();
  let count = 0;
  let continuation: string | undefined;
  do {
    const page = await database.collections.journal.list({ limit: pageSize, continuation }, signal);
    for (const { document } of page.items) addDuration(durations, document);
    count += page.items.length;
    continuation = page.continuation;
  } while (continuation !== undefined && count < maxEntries);
  return {
    steps: [...durations].slice(0, maxSteps).map(([name, all]) => ({
      name,
      medianMs: medianOf(all),
      count: all.length,
    })),
  };
}

function addDuration(
  durations: Map<string, number[]>,
  { step, state, attempt, startedAt, finishedAt }: JournalDocument,
): void {
  if (state !== "finished" || attempt !== 1 || finishedAt === undefined) return;
  const ms = Date.parse(finishedAt) - Date.parse(startedAt);
  if (!(ms >= 0)) return;
  const known = durations.get(step);
  if (known) known.push(ms);
  else durations.set(step, [ms]);
}

/** Returns the median of a list as an integer. The list must not be empty. */
function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const [before = 0, at = 0] = [sorted[middle - 1], sorted[middle]];
  return Math.round(sorted.length % 2 === 0 ? (before + at) / 2 : at);
}
