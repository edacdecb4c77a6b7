import assert from "node:assert/strict";
import { test } from "node:test";
import type { CrashCase } from "./crash-case.ts";
import { type CrashRow, missedGoals, tableOf } from "./evaluate.ts";
import type { CaseResult } from "./run-case.ts";

const served = { servingMs: 1_000, slowestMs: 10, failures: { refused: 2 } };
const written = { acknowledged: 10, lost: 0, failures: { reset: 1 } };
const idle: CrashCase = { victim: "service", signal: "SIGKILL", situation: "idle", clusters: 1 };
const good: CaseResult = {
  outages: { arm: served, kube: served, portal: served, status: { ...served, failures: { starting: 9 } } },
  writes: { arm: written, kube: written },
};
const row = (result: Partial<CaseResult>, change: Partial<CrashCase> = {}): CrashRow => ({
  case: { ...idle, ...change },
  load: 1,
  result: { ...good, ...result },
  repeatedSteps: [],
});
const late = (servingMs: number | null) => ({ outages: { ...good.outages, arm: { ...served, servingMs } } });
const install = { exitCode: 0, before: "Creating", after: "Succeeded" };

const rows: readonly (readonly [string, CrashRow, readonly string[]])[] = [
  ["a case within its goals", row({ install }), []],
  ["a late client", row(late(15_001)), ["arm not served within 15000 ms"]],
  ["a client that is not served again", row(late(null)), ["arm not served within 15000 ms"]],
  ["a late client of many clusters", row(late(60_000), { clusters: 50 }), []],
  [
    "a suspension, which lasts",
    row({ ...late(60_500), suspension: { isShown: true, replaced: [] } }, { signal: "SIGSTOP" }),
    [],
  ],
  [
    "a suspension that is not shown and not survived",
    row({ suspension: { isShown: false, replaced: ["service"] } }, { signal: "SIGSTOP" }),
    ["not shown as not responding", "replaced: service"],
  ],
  [
    "a suspended supervisor, which shows nothing",
    row({ suspension: { isShown: false, replaced: [] } }, { signal: "SIGSTOP", victim: "supervisor" }),
    [],
  ],
  [
    "a lost write",
    row({ writes: { arm: written, kube: { ...written, lost: 1 } } }),
    ["1 of 10 acknowledged kube writes lost"],
  ],
  [
    "a failed update",
    row({ writes: { arm: { ...written, failures: { "update Failed": 1 } }, kube: written } }),
    ["1 updates Failed"],
  ],
  [
    "a failed installation",
    row({ install: { before: "Creating", after: "Failed", exitCode: 1, stderr: "lost\n" } }),
    ["the installation is Failed", "keelson cluster create exited with 1: lost"],
  ],
  [
    "an installation that had ended",
    row({ install: { ...install, before: "Succeeded" } }),
    ["the installation was Succeeded before the crash"],
  ],
  ["a repeated step", { ...row({}), repeatedSteps: ["op.createDNS"] }, ["op.createDNS ran twice"]],
  ["a case that did not end", { case: idle, load: 1, error: "TimeoutError" }, ["TimeoutError"]],
];

for (const [title, each, problems] of rows)
  test(`${title}: ${problems.length} goals missed`, () => {
    const found = missedGoals(each).map((line) => line.slice(line.indexOf(": ") + 2));
    assert.deepEqual(found, problems);
  });

test("the table has a line for each case, with what clients saw", () => {
  const [head = [], line = [], broken = []] = tableOf([
    row({ install }),
    { case: idle, load: 2.25, error: "TimeoutError" },
  ]);
  assert.equal(line.length, head.length);
  assert.equal(broken.length, head.length);
  assert.deepEqual(line.slice(1), [
    ...["1000", "1000", "1000", "1000", "0 of 20", "0", "Succeeded", "6 refused, 2 reset", "1.0", "met"],
  ]);
  assert.equal(broken.at(-1), "1 missed");
});
