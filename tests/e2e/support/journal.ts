import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";

/** A row of the journal, as the store keeps it. */
export interface JournalRow {
  readonly id: string;
  readonly operationId: string;
  readonly step: string;
  readonly state: string;
  readonly attempt: number;
  readonly worker: string;
  readonly generation: number;
  readonly startedAt: string;
  readonly finishedAt?: string;
}

/** Finished steps of an earlier reading that are different in a later one: they were started again. */
export function repeatedSteps(
  earlier: ReadonlyMap<string, JournalRow>,
  later: ReadonlyMap<string, JournalRow>,
): readonly JournalRow[] {
  return [...earlier.values()].filter(
    (row) => row.state === "finished" && !isDeepStrictEqual(later.get(row.id), row),
  );
}

/** Fails when a step that was finished in an earlier reading was started again since. */
export function assertFinishedStayed(
  earlier: ReadonlyMap<string, JournalRow>,
  later: ReadonlyMap<string, JournalRow>,
): void {
  for (const row of repeatedSteps(earlier, later))
    assert.deepEqual(later.get(row.id), row, `step ${row.step} ran again after it had finished`);
}
