import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "@keelson/apiserver";
import { withConditions } from "../../runtime/conditions.ts";
import { clusterOperators } from "./facts.ts";
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

/** Plays calls until nothing more can advance, and counts them. */
function play(observed: Omit<OperatorsObserved, "operators">, operators: readonly KubeObject[] = []) {
  let calls = 1;
  let plan = planClusterOperators({ ...observed, operators });
  while (plan.more) {
    calls += 1;
    plan = planClusterOperators({ ...observed, operators: plan.reports.map(asObject) });
  }
  return { calls, operators: plan.reports.map(asObject) };
}

const settledNames = (operators: readonly KubeObject[]) =>
  operators.filter((operator) => hasSettled(operator, target)).map(({ metadata }) => metadata.name);

test("on healthy nodes every operator settles, one per call", () => {
  const { calls, operators } = play(healthy);
  assert.equal(calls, clusterOperators.length);
  assert.equal(settledNames(operators).length, clusterOperators.length);
});

const stuck: readonly {
  readonly name: string;
  readonly observed: Partial<OperatorsObserved>;
  readonly rolledOut: number;
}[] = [
  { name: "nobody manages the control plane", observed: { controlPlaneManaged: false }, rolledOut: 0 },
  { name: "a master is missing", observed: { readyMasters: 2, readyWorkers: 0 }, rolledOut: 0 },
  {
    name: "there is one worker",
    observed: { readyWorkers: 1 },
    rolledOut: clusterOperators.filter(({ needs }) => needs === "control-plane").length,
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
  readonly settled: number;
}[] = [
  { name: "one master down hurts nothing", observed: { readyMasters: 2 }, settled: clusterOperators.length },
  { name: "one worker left is enough", observed: { readyWorkers: 1 }, settled: clusterOperators.length },
  {
    name: "no worker left takes down what runs on workers",
    observed: { readyWorkers: 0 },
    settled: clusterOperators.filter(({ needs }) => needs === "control-plane").length,
  },
  {
    name: "a lost quorum takes down the control plane",
    observed: { readyMasters: 1 },
    settled: clusterOperators.filter(({ needs }) => needs === "workers").length,
  },
];

for (const { name, observed, settled } of later)
  test(`after the rollout, ${name}`, () => {
    const { operators } = play(healthy);
    const after = play({ ...healthy, ...observed }, operators);
    assert.equal(settledNames(after.operators).length, settled);
    const repaired = play(healthy, after.operators);
    assert.equal(settledNames(repaired.operators).length, clusterOperators.length);
  });

test("another target rolls out again without a gap in availability", () => {
  const { operators } = play(healthy);
  const plan = planClusterOperators({ ...healthy, target: "4.19.25", operators });
  for (const { conditions, name } of plan.reports)
    assert.equal(conditions.find(({ type }) => type === "Available")?.status, "True", name);
  const upgraded = play({ ...healthy, target: "4.19.25" }, operators);
  assert.ok(upgraded.operators.every((operator) => hasSettled(operator, "4.19.25")));
});
