import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "@keelson/apiserver";
import { conditionOf } from "../../base/conditions.ts";
import type { ObservedMachine } from "../../hypervisor/machine-view.ts";
import { instantTimings } from "../../settings/timings.ts";
import { exampleSettings } from "../../testing/example-cluster.ts";
import { exampleMachine } from "../../testing/fake-hypervisor.ts";
import { configNames } from "../machine-configs/names.ts";
import { bootIdOf } from "./boot.ts";
import { capacityOf } from "./capacity.ts";
import { nodeObject, nodeStatus } from "./node-object.ts";
import { type NodeChange, planNode } from "./plan.ts";
import { nodeTaints } from "./taints.ts";

const settings = exampleSettings();
const start = new Date("2026-01-01T00:00:00Z");
const timings = { ...instantTimings, nodeBootMs: 800, nodeReadyMs: 300 };
const name = "demo-x7k2p-master-0";
const running: ObservedMachine = { ...exampleMachine(name), runningSince: start };
const stopped: ObservedMachine = exampleMachine(name, { powerState: "stopped" });

const node = (ready: "True" | "False" | "Unknown" | undefined): KubeObject => ({
  ...nodeObject(settings, { ...running, zones: ["1"] }),
  ...(ready ? { status: { conditions: [{ type: "Ready", status: ready }] } } : {}),
});

interface Row {
  readonly name: string;
  readonly vm: ObservedMachine | undefined;
  readonly node?: KubeObject;
  readonly afterMs?: number;
  readonly expected: Partial<NodeChange> & { readonly kubelet?: string };
}

const rows: readonly Row[] = [
  { name: "no machine and no node need no change", vm: undefined, expected: { kind: "none" } },
  {
    name: "a deleted machine removes its node",
    vm: undefined,
    node: node("True"),
    expected: { kind: "remove" },
  },
  {
    name: "a booting machine has no node yet",
    vm: running,
    afterMs: 300,
    expected: { kind: "wait", ms: 500 },
  },
  { name: "a booted machine registers", vm: running, afterMs: 800, expected: { kind: "register" } },
  { name: "a machine that never ran has no node", vm: stopped, expected: { kind: "none" } },
  {
    name: "a registered node starts",
    vm: running,
    node: node(undefined),
    afterMs: 900,
    expected: { kind: "report", kubelet: "starting", nextMs: 200 },
  },
  {
    name: "a started node is ready",
    vm: running,
    node: node("False"),
    afterMs: 1_100,
    expected: { kind: "report", kubelet: "ready" },
  },
  {
    name: "a ready node stays ready when the process restarts",
    vm: { ...running, runningSince: start },
    node: node("True"),
    afterMs: 0,
    expected: { kind: "report", kubelet: "ready" },
  },
  {
    name: "a stopped machine's node falls silent",
    vm: stopped,
    node: node("True"),
    expected: { kind: "report", kubelet: "silent" },
  },
  {
    name: "a restarted machine has a silent node while it boots",
    vm: running,
    node: node("Unknown"),
    afterMs: 100,
    expected: { kind: "report", kubelet: "silent", nextMs: 1_000 },
  },
];

for (const row of rows)
  test(`nodes: ${row.name}`, () => {
    const now = new Date(start.getTime() + (row.afterMs ?? 5_000));
    const { settings: _, ...change } = {
      settings,
      ...planNode({ settings, vm: row.vm, node: row.node, now, timings }),
    };
    assert.partialDeepStrictEqual(change, row.expected);
  });

test("the bootstrap machine never becomes a node", () => {
  const vm = { ...exampleMachine("demo-x7k2p-bootstrap"), runningSince: start };
  assert.deepEqual(planNode({ settings, vm, node: undefined, now: new Date(), timings }), { kind: "none" });
});

test("a master's node carries its roles, taint and provider ID", () => {
  const { metadata, spec } = nodeObject(settings, { ...running, zones: ["2"] });
  assert.equal(metadata.labels?.["topology.kubernetes.io/zone"], "eastus-2");
  assert.ok("node-role.kubernetes.io/master" in (metadata.labels ?? {}));
  assert.ok("node-role.kubernetes.io/control-plane" in (metadata.labels ?? {}));
  assert.deepEqual(spec, {
    providerID: `azure://${running.id}`,
    taints: [{ key: "node-role.kubernetes.io/master", effect: "NoSchedule" }],
  });
});

test("reporting the same state again changes nothing", () => {
  const boot = { bootId: "b", openShiftVersion: "4.19.24" };
  const report = { kubelet: "ready", diskFull: false } as const;
  const first = {
    ...node(undefined),
    status: nodeStatus(node(undefined), running, { ...report, boot }, start),
  };
  const later = new Date(start.getTime() + 60_000);
  assert.deepEqual(nodeStatus(first, running, { ...report, boot: undefined }, later), first.status);
});

test("a silent kubelet keeps the time of its last heartbeat, and a ready one reports a new time", () => {
  const boot = { bootId: "b", openShiftVersion: "4.19.24" };
  const report = { diskFull: false, boot } as const;
  const after = (before: KubeObject, kubelet: "ready" | "silent", minutes: number): KubeObject => {
    const now = new Date(start.getTime() + minutes * 60_000);
    return { ...before, status: nodeStatus(before, running, { ...report, kubelet }, now) };
  };
  const heartbeat = (each: KubeObject) => Reflect.get(conditionOf(each, "Ready"), "lastHeartbeatTime");
  const ready = after(node(undefined), "ready", 0);
  const silent = after(ready, "silent", 10);
  assert.equal(heartbeat(silent), "2026-01-01T00:00:00Z");
  assert.equal(Reflect.get(conditionOf(silent, "Ready"), "lastTransitionTime"), "2026-01-01T00:10:00Z");
  assert.equal(heartbeat(after(silent, "ready", 20)), "2026-01-01T00:20:00Z");
});

test("a node that reboots is not ready until it is up, and then lives another life", () => {
  const until = new Date(start.getTime() + 10_000);
  const annotations = { [configNames.state]: "Rebooting", [configNames.rebootUntil]: until.toISOString() };
  const before = node("True");
  const rebooting = { ...before, metadata: { ...before.metadata, annotations } };
  const plan = (afterMs: number) => {
    const now = new Date(start.getTime() + afterMs);
    return planNode({ settings, vm: running, node: rebooting, now, timings });
  };
  assert.partialDeepStrictEqual(plan(4_000), { kind: "report", kubelet: "rebooting", nextMs: 6_000 });
  assert.partialDeepStrictEqual(plan(10_000), { kind: "report", kubelet: "ready" });
  assert.notEqual(bootIdOf(before, "a"), bootIdOf(before, "b"));
});

test("a kubelet that was silenced is silent however well its machine runs", () => {
  const change = planNode({ settings, vm: running, node: node("True"), silenced: true, now: start, timings });
  assert.partialDeepStrictEqual(change, { kind: "report", kubelet: "silent" });
});

test("taints follow readiness, and other taints are preserved", () => {
  const [ready, silent] = [node("True"), node("Unknown")];
  assert.equal(nodeTaints(ready, start), undefined);
  const taints = nodeTaints(silent, start);
  assert.equal(taints?.length, 3);
  assert.equal(nodeTaints({ ...silent, spec: { taints } }, new Date()), undefined);
  assert.deepEqual(nodeTaints({ ...ready, spec: { taints } }, start), [
    { key: "node-role.kubernetes.io/master", effect: "NoSchedule" },
  ]);
  const cordoned = { ...ready, spec: { unschedulable: true } };
  assert.partialDeepStrictEqual(nodeTaints(cordoned, start), [{ key: "node.kubernetes.io/unschedulable" }]);
});

for (const [size, cores, memoryGiB] of [
  ["Standard_D8s_v3", 8, 32],
  ["Standard_D4s_v5", 4, 16],
  ["Standard_E16ds_v4", 16, 128],
  ["Standard_F72s_v2", 72, 144],
  ["whatever", 4, 16],
] as const)
  test(`${size} has ${cores} cores and ${memoryGiB} GiB`, () =>
    assert.deepEqual(capacityOf(size), { cores, memoryGiB }));
