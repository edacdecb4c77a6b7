import assert from "node:assert/strict";
import { test } from "node:test";
import { type ReportedCondition, unionCondition } from "./union-condition.ts";

const now = new Date("2026-11-24T12:00:00Z");
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000).toISOString();
const degraded = (
  name: string,
  status: "True" | "False" | "Unknown",
  more: Partial<ReportedCondition> = {},
): ReportedCondition => ({ type: `${name}Degraded`, status, lastTransitionTime: ago(300), ...more });
const inertia = (type: string) => (type === "NodeControllerDegraded" ? 600_000 : 120_000);

const cases: readonly {
  readonly name: string;
  readonly conditions: readonly ReportedCondition[];
  readonly says: string;
  readonly again?: number;
}[] = [
  { name: "nothing is known", conditions: [], says: "Unknown NoData" },
  { name: "all is well", conditions: [degraded("A", "False")], says: "False AsExpected All is well" },
  {
    name: "good ones have messages",
    conditions: [degraded("A", "False", { message: "fine\nfine\nquiet" })],
    says: "False AsExpected ADegraded: fine\nADegraded: quiet",
  },
  {
    name: "one is bad",
    conditions: [degraded("B", "True", { reason: "SyncError", message: "no" }), degraded("A", "False")],
    says: "True B_SyncError BDegraded: no",
  },
  {
    name: "two are bad, one without a reason",
    conditions: [
      degraded("B", "True", { message: "b" }),
      degraded("A", "True", { reason: "X", message: "a" }),
    ],
    says: "True A_X::B ADegraded: a\nBDegraded: b",
  },
  { name: "one is unknown", conditions: [degraded("A", "Unknown", { reason: "X" })], says: "Unknown A_X" },
  {
    name: "a bad one is new",
    conditions: [degraded("A", "True", { reason: "X", message: "a", lastTransitionTime: ago(119) })],
    says: "False AsExpected ADegraded: a",
    again: 1,
  },
  {
    name: "a bad one has lasted two minutes",
    conditions: [degraded("A", "True", { reason: "X", message: "a", lastTransitionTime: ago(120) })],
    says: "True A_X ADegraded: a",
  },
  {
    name: "nodes have not been ready for nine minutes",
    conditions: [
      degraded("NodeController", "True", { reason: "X", message: "a", lastTransitionTime: ago(540) }),
    ],
    says: "False AsExpected NodeControllerDegraded: a",
    again: 60,
  },
  {
    name: "a time is malformed",
    conditions: [degraded("A", "True", { reason: "X", message: "a", lastTransitionTime: "soon" })],
    says: "True A_X ADegraded: a",
  },
];
for (const { name, conditions, says, again } of cases)
  test(`the union when ${name}`, () => {
    const { condition, againAt } = unionCondition("Degraded", "False", conditions, now, inertia);
    const { status, reason, message } = condition;
    assert.equal(
      [status, reason, message].filter((each) => each !== undefined && each !== "").join(" "),
      says,
    );
    assert.equal(againAt && (againAt.getTime() - now.getTime()) / 1_000, again);
  });
