import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";

/** Row of the workflow journal in the database. */
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

/**
 * Returns the completed steps that ran again. The entry of such a step differs between an earlier and a later read of the
 * journal.
 */
export function repeatedSteps(
  earlier: ReadonlyMap<string, JournalRow>,
  later: ReadonlyMap<string, JournalRow>,
): readonly JournalRow[] {
  return [...earlier.values()].filter(
    (row) => row.state === "finished" && !isDeepStrictEqual(later.get(row.id), row),
  );
}

/** Asserts that no completed step of an earlier read ran again. */
export function assertFinishedStayed(
  earlier: ReadonlyMap<string, JournalRow>,
  later: ReadonlyMap<string, JournalRow>,
): void {
  for (const row of repeatedSteps(earlier, later))
    assert.deepEqual(later.get(row.id), row, `step ${row.step} ran again after it had finished`);
}
