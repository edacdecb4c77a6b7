import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { growthOf, problemsOf } from "./growth.ts";
import type { MeasureRow, Segment } from "./soak-row.ts";

const service = { role: "service", pid: 1, liveMib: 100, pssMib: 300, files: 50, resources: 20 };
const row = (change: Partial<typeof service> = {}, databaseMib = 40): MeasureRow => ({
  kind: "measure",
  seconds: 600,
  movedHours: 0,
  rounds: 10,
  failures: [],
  processes: [{ ...service, ...change }],
  bytes: { database: databaseMib * 2 ** 20 },
});
const segment = (...measures: readonly MeasureRow[]): Segment => ({ state: "/s", measures });
const repeat = (count: number, each: MeasureRow) => Array.from({ length: count }, () => each);
const exceeded = (...segments: readonly Segment[]) =>
  growthOf(segments, 1)
    .filter(({ isExceeded }) => isExceeded)
    .map((each) => `${each.segment} ${each.subject} ${each.measure}`);

describe("growth of a segment", () => {
  const cases: readonly [string, readonly MeasureRow[], readonly string[]][] = [
    ["equal values are within the tolerance", repeat(12, row()), []],
    [
      "values before the warm-up have no effect",
      [...repeat(5, row({ liveMib: 10 })), ...repeat(6, row())],
      [],
    ],
    [
      "live heap within 3 % is within the tolerance",
      [...repeat(9, row()), ...repeat(3, row({ liveMib: 102.9 }))],
      [],
    ],
    [
      "live heap above 3 % is exceeded",
      [...repeat(9, row()), ...repeat(3, row({ liveMib: 103.1 }))],
      ["1 service live MiB"],
    ],
    ["one outlier at the end has no effect", [...repeat(9, row()), row(), row({ liveMib: 200 }), row()], []],
    [
      "open files above 10 are exceeded",
      [...repeat(9, row()), ...repeat(3, row({ files: 61 }))],
      ["1 service files"],
    ],
    [
      "the database above 8 MiB is exceeded",
      [...repeat(9, row()), ...repeat(3, row({}, 49))],
      ["1 database MiB"],
    ],
    [
      "a smaller value is within the tolerance",
      [...repeat(9, row()), ...repeat(3, row({ files: 1 }, 1))],
      [],
    ],
    [
      "a process that does not exist at the end is exceeded",
      [...repeat(9, row()), ...repeat(3, { ...row(), processes: [] })],
      ["live MiB", "Pss MiB", "files", "resources"].map((name) => `1 service ${name}`),
    ],
    [
      "a segment without six measures behind its warm-up is not judged",
      [...repeat(9, row()), row({ files: 500 })],
      [],
    ],
  ];
  for (const [title, measures, expected] of cases)
    test(title, () => {
      assert.deepEqual(exceeded(segment(...measures)), expected);
    });
});

test("growth over all segments compares the first base with the last end", () => {
  const first = segment(...repeat(12, row()));
  const last = segment(...repeat(12, row({ liveMib: 110 })));
  assert.deepEqual(exceeded(first, segment(row()), last), ["all service live MiB"]);
});

test("problems are failed rounds and processes that were replaced within a segment", () => {
  const failed = { ...row(), failures: ["round 3: 503"] };
  assert.deepEqual(problemsOf([segment(row(), failed, row({ pid: 2 })), segment(row({ pid: 9 }))]), [
    "segment 1: round 3: 503",
    "segment 1: service restarted: process 1, then 2",
  ]);
});
