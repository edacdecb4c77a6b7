import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "@keelson/apiserver";
import { withConditions } from "../../base/conditions.ts";
import { hasSettled, type OperatorReport, type OperatorsObserved, planClusterOperators } from "./plan.ts";

const target = "4.19.24";
const now = new Date("2026-01-01T00:00:00Z");

const asObject = (report: OperatorReport): KubeObject => ({
  apiVersion: "config.openshift.io/v1",
  kind: "ClusterOperator",
  metadata: { name: report.name },
  status: {
    conditions: withConditions(undefined, report.conditions, now),
    versions: report.version ? [{ name: "operator", version: report.version }] : [],
  },
});

const healthy = { target, controlPlaneManaged: true, masters: 3, readyMasters: 3, readyWorkers: 3 };

/** Repeats the plan until no operator advances. Returns the number of calls. */
function play(observed: Omit<OperatorsObserved, "operators">, operators: readonly KubeObject[] = []) {
  let calls = 1;
  let plan = planClusterOperators({ ...observed, operators });
  while (plan.more) {
    calls += 1;
    plan = planClusterOperators({ ...observed, operators: plan.reports.map(asObject) });
  }
  return { calls, operators: plan.reports.map(asObject) };
}

/** Number of ClusterOperators in a release. */
const all = 34;
/** ClusterOperators with operands on workers. */
const onWorkers = ["authentication", "console", "image-registry", "ingress", "monitoring"];

const settledNames = (operators: readonly KubeObject[]) =>
  operators.filter((operator) => hasSettled(operator, target)).map(({ metadata }) => metadata.name);

test("on healthy nodes every operator settles, one per call", () => {
  const { calls, operators } = play(healthy);
  assert.equal(calls, all);
  assert.equal(settledNames(operators).length, all);
});

const stuck: readonly {
  readonly name: string;
  readonly observed: Partial<OperatorsObserved>;
  readonly rolledOut: number;
}[] = [
  { name: "the control plane is not managed", observed: { controlPlaneManaged: false }, rolledOut: 0 },
  { name: "a master is missing", observed: { readyMasters: 2, readyWorkers: 0 }, rolledOut: 0 },
  {
    name: "there is one worker",
    observed: { readyWorkers: 1 },
    rolledOut: all - onWorkers.length,
  },
];

for (const { name, observed, rolledOut } of stuck)
  test(`the rollout stops where ${name}`, () => {
    const { operators } = play({ ...healthy, ...observed });
    assert.equal(settledNames(operators).length, rolledOut);
  });

const later: readonly {
  readonly name: string;
  readonly observed: Partial<OperatorsObserved>;
  readonly unsettled: readonly string[] | "control plane";
}[] = [
  { name: "one master down hurts nothing", observed: { readyMasters: 2 }, unsettled: [] },
  { name: "one remaining worker is sufficient", observed: { readyWorkers: 1 }, unsettled: [] },
  {
    name: "without workers the operators on workers are unavailable",
    observed: { readyWorkers: 0 },
    unsettled: onWorkers,
  },
  {
    name: "without quorum the control plane is unavailable",
    observed: { readyMasters: 1 },
    unsettled: "control plane",
  },
];

for (const { name, observed, unsettled } of later)
  test(`after the rollout, ${name}`, () => {
    const { operators } = play(healthy);
    const after = play({ ...healthy, ...observed }, operators);
    const settled = settledNames(after.operators).toSorted();
    if (unsettled === "control plane") assert.deepEqual(settled, onWorkers);
    else {
      const names = after.operators.map(({ metadata }) => metadata.name);
      assert.deepEqual(names.filter((each) => !settled.includes(each)).toSorted(), unsettled);
    }
    const repaired = play(healthy, after.operators);
    assert.equal(settledNames(repaired.operators).length, all);
  });

test("between two rollouts no operator advances", () => {
  const waiting = planClusterOperators({ ...healthy, operators: [], mayAdvance: false });
  assert.deepEqual([waiting.advanced, waiting.more], [false, true]);
  assert.deepEqual(settledNames(waiting.reports.map(asObject)), []);
  const next = planClusterOperators({ ...healthy, operators: waiting.reports.map(asObject) });
  assert.ok(next.advanced);
});

test("a new target rolls out without a gap in availability", () => {
  const { operators } = play(healthy);
  const plan = planClusterOperators({ ...healthy, target: "4.19.25", operators });
  assert.ok(plan.reports.length > 0);
  for (const { conditions, name } of plan.reports)
    assert.equal(conditions.find(({ type }) => type === "Available")?.status, "True", name);
  const upgraded = play({ ...healthy, target: "4.19.25" }, operators);
  assert.equal(upgraded.operators.filter((operator) => hasSettled(operator, "4.19.25")).length, all);
});
