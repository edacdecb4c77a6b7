import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "@keelson/base";
import { Journal, type JournalStore, type StepRecord } from "./journal.ts";

const signal = new AbortController().signal;
const lease = {
  collection: "c",
  partitionKey: "p",
  id: "1",
  owner: "o",
  generation: 9,
  expiresAt: new Date(0),
};

/** Returns the number of attempts without progress. `finished` contains the acquisitions in which a step finished. */
async function attemptsOf(attempt: number, finished: readonly number[], survivedLosses: readonly number[]) {
  const items = finished.map((dequeues, index) => ({
    etag: "1",
    document: { step: `step-${index}`, state: "finished", dequeues },
  }));
  // The journal only lists entries here.
  const store = { partitionKey: "p", operationId: "1", entries: { list: async () => ({ items }) } };
  const guard = { lease, attempt, survivedLosses, signal, assertHeld: () => {} };
  const journal = new Journal(store as unknown as JournalStore<StepRecord>, { guard, clock: systemClock });
  return (await journal.load(signal)).attemptsWithoutProgress;
}

for (const [attempt, finished, survivedLosses, expected] of [
  [1, [], [], 1],
  [4, [], [], 4],
  [4, [1, 3], [], 1],
  [4, [], [1, 2, 3], 1],
  [7, [3], [1, 2, 5], 3],
] as const) {
  test(`acquisition ${attempt}, steps finished in [${finished}], lost without a fault [${survivedLosses}]: ${expected} without progress`, async () => {
    assert.equal(await attemptsOf(attempt, finished, survivedLosses), expected);
  });
}
