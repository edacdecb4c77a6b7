import assert from "node:assert/strict";

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

/** Fails when a step that was finished in an earlier reading was started again since. */
export function assertFinishedStayed(
  earlier: ReadonlyMap<string, JournalRow>,
  later: ReadonlyMap<string, JournalRow>,
): void {
  for (const row of earlier.values()) {
    if (row.state === "finished")
      assert.deepEqual(later.get(row.id), row, `step ${row.step} ran again after it had finished`);
  }
}
