import assert from "node:assert/strict";
import { test } from "node:test";
import { type BusyRow, outcomeOf, summarize } from "./outcome.ts";

const quiet = { restarts: [], exits: [], degraded: [] };
const none = { ms: [], failures: [], clientLimits: 0 };

test("successful requests have durations, failures a message, and limits of the client a count", () => {
  const at = (startedMs: number, endedMs: number, failure?: string) => ({
    startedMs,
    endedMs,
    ...(failure === undefined ? {} : { failure }),
  });
  const requests = {
    arm: [at(0, 5), at(10, 20, "503")],
    kube: [at(0, 7.4)],
    kubectl: [at(0, 10_000, "net/http: TLS handshake timeout")],
  };
  assert.deepEqual(summarize({ requests, operations: [] }), {
    arm: { ms: [5], failures: ["503"], clientLimits: 0 },
    kube: { ms: [7], failures: [], clientLimits: 0 },
    kubectl: { ms: [], failures: [], clientLimits: 1 },
  });
});

test("the outcome sums up all rows and lists each problem", () => {
  const rows: readonly BusyRow[] = [
    {
      kind: "period",
      seconds: 60,
      loops: 16,
      requests: { arm: { ...none, ms: [1, 2, 3] }, kube: { ...none, failures: ["reset"] }, kubectl: none },
      operations: [
        { kind: "create", seconds: 2 },
        { kind: "delete", seconds: 1, failure: "Conflict" },
      ],
      health: { restarts: ["a/b c"], exits: ["operators"], degraded: ["dns"] },
    },
    {
      kind: "period",
      seconds: 60,
      loops: 16,
      requests: { arm: { ...none, ms: [9] }, kube: { ...none, clientLimits: 2 }, kubectl: none },
      operations: [],
      health: quiet,
    },
    {
      kind: "suite",
      loops: 16,
      seconds: 70,
      passed: 40,
      failed: 1,
      failures: [{ titles: ["up", "ends"], place: "a.test.ts:1" }],
    },
  ];
  const { table, problems } = outcomeOf(rows);
  const row = (name: string) => table.find(([first]) => first === name)?.slice(1);
  assert.deepEqual(row("arm"), ["4", "0", "0", "2", "9", "9"]);
  assert.deepEqual(row("kube"), ["0", "1", "2", "-", "-", "-"]);
  assert.deepEqual(row("cluster create"), ["1", "0", "", "2000", "2000", "2000"]);
  assert.deepEqual(row("end-to-end tests, 1 rounds"), ["40", "1"]);
  assert.deepEqual(problems, [
    "kube: reset",
    "cluster delete: Conflict",
    "up > ends at a.test.ts:1",
    "restarted: a/b c",
    "exited: operators",
    "Degraded: dns",
  ]);
});
