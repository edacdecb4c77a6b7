import assert from "node:assert/strict";
import { test } from "node:test";
import { type MeasureRow, progressOf, type SoakRow, segmentsOf } from "./soak-row.ts";

const measure = (change: Partial<MeasureRow> = {}): MeasureRow => ({
  kind: "measure",
  seconds: 1_800,
  movedHours: 0,
  rounds: 10,
  failures: [],
  processes: [],
  bytes: {},
  ...change,
});
const rows: readonly SoakRow[] = [
  { kind: "segment", state: "/state" },
  measure(),
  measure(),
  { kind: "tables", rows: { journal: 7 } },
  { kind: "segment", state: "/state" },
  measure({ rounds: 3 }),
  measure({ movedHours: 10, rounds: 10 }),
];

test("a later call continues with the sum of all segments", () => {
  assert.deepEqual(progressOf(rows), { state: "/state", hours: 1.5, movedHours: 10, rounds: 33 });
  assert.deepEqual(progressOf([]), { state: undefined, hours: 0, movedHours: 0, rounds: 0 });
});

test("each start begins a segment", () => {
  assert.deepEqual(
    segmentsOf(rows).map(({ measures }) => measures.length),
    [2, 2],
  );
});
