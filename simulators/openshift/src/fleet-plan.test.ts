import assert from "node:assert/strict";
import { test } from "node:test";
import { type ClusterChange, type ClusterObserved, planCluster, servesApi } from "./fleet-plan.ts";
import type { ObservedMachine } from "./hypervisor/machine-view.ts";
import { exampleMachine } from "./testing/fake-hypervisor.ts";

const infraId = "demo-x7k2p";
const start = new Date("2026-01-01T00:00:00Z");
const bootstrap: ObservedMachine = { ...exampleMachine(`${infraId}-bootstrap`), runningSince: start };
const master: ObservedMachine = { ...exampleMachine(`${infraId}-master-0`), runningSince: start };

const nothingYet: ClusterObserved = {
  infraId,
  machines: [bootstrap, master],
  stored: false,
  installed: false,
  running: false,
  now: new Date(start.getTime() + 1_000),
  bootMs: 400,
};

const rows: readonly {
  readonly name: string;
  readonly observed: Partial<ClusterObserved>;
  readonly expected: ClusterChange;
}[] = [
  { name: "a booted bootstrap machine installs", observed: {}, expected: { kind: "install", bootstrap } },
  { name: "a booting one is waited for", observed: { now: start }, expected: { kind: "wait", ms: 400 } },
  {
    name: "one that does not run does nothing",
    observed: { machines: [exampleMachine(`${infraId}-bootstrap`), master] },
    expected: { kind: "none" },
  },
  {
    name: "masters alone do not start an installation",
    observed: { machines: [master] },
    expected: { kind: "none" },
  },
  {
    name: "an interrupted installation resumes",
    observed: { stored: true },
    expected: { kind: "install", bootstrap },
  },
  {
    name: "an interrupted installation without bootstrap machine is not resumed",
    observed: { stored: true, machines: [master] },
    expected: { kind: "none" },
  },
  {
    name: "an installed cluster runs, bootstrap machine or not",
    observed: { stored: true, installed: true, machines: [master] },
    expected: { kind: "run" },
  },
  {
    name: "a running cluster needs no change",
    observed: { stored: true, installed: true, running: true },
    expected: { kind: "none" },
  },
  {
    name: "a cluster without machines is deleted",
    observed: { stored: true, installed: true, running: true, machines: [] },
    expected: { kind: "delete" },
  },
  {
    name: "a logical cluster of a different owner is not changed",
    observed: { machines: [] },
    expected: { kind: "none" },
  },
];

for (const { name, observed, expected } of rows)
  test(`clusters: ${name}`, () => assert.deepEqual(planCluster({ ...nothingYet, ...observed }), expected));

for (const [what, names, serves] of [
  ["no machine yet", {}, true],
  ["workers only", { "worker-a": "deallocated" }, true],
  ["its bootstrap machine", { bootstrap: "running", "master-0": "stopped" }, true],
  ["one master of three", { "master-0": "deallocated", "master-1": "running", "master-2": "stopped" }, true],
  [
    "no master of three",
    { "master-0": "deallocated", "master-1": "deallocated", "master-2": "stopped" },
    false,
  ],
  ["workers without masters", { "master-0": "deallocated", "worker-a": "running" }, false],
] as const) {
  test(`a cluster with ${what} ${serves ? "serves" : "does not serve"} its API`, () => {
    const machines = Object.entries(names).map(([name, powerState]) =>
      exampleMachine(`${infraId}-${name}`, { powerState }),
    );
    assert.equal(servesApi(infraId, machines), serves);
  });
}
