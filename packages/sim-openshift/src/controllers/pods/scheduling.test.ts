import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "@keelson/apiserver";
import { planPod } from "./plan.ts";
import { chooseNode, fitsDaemon } from "./scheduling.ts";

interface NodeState {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly object[];
  readonly ready?: boolean;
  readonly unschedulable?: boolean;
}

const node = ({
  name,
  labels = {},
  taints = [],
  ready = true,
  unschedulable = false,
}: NodeState): KubeObject => ({
  apiVersion: "v1",
  kind: "Node",
  metadata: { name, labels },
  spec: { taints, ...(unschedulable ? { unschedulable } : {}) },
  status: { conditions: [{ type: "Ready", status: ready ? "True" : "Unknown" }] },
});

const pod = (nodeName?: string, ready?: boolean): KubeObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { namespace: "default", name: "pod", uid: "uid" },
  spec: { containers: [], ...(nodeName ? { nodeName } : {}) },
  status: { conditions: ready === undefined ? [] : [{ type: "Ready", status: ready ? "True" : "False" }] },
});

const masterTaint = { key: "node-role.kubernetes.io/master", effect: "NoSchedule" };
const master = { name: "master", labels: { role: "master" }, taints: [masterTaint] };
const worker = { name: "worker", labels: { role: "worker" } };

const rows: readonly {
  readonly name: string;
  readonly spec: object;
  readonly nodes: readonly NodeState[];
  readonly expected: string | undefined;
}[] = [
  { name: "goes to a fitting node", spec: {}, nodes: [master, worker], expected: "worker" },
  {
    name: "follows its node selector",
    spec: { nodeSelector: { role: "infra" } },
    nodes: [worker],
    expected: undefined,
  },
  {
    name: "tolerates a taint by key",
    spec: { nodeSelector: { role: "master" }, tolerations: [{ key: masterTaint.key, operator: "Exists" }] },
    nodes: [master, worker],
    expected: "master",
  },
  {
    name: "tolerates everything with an empty Exists",
    spec: { nodeSelector: { role: "master" }, tolerations: [{ operator: "Exists" }] },
    nodes: [master],
    expected: "master",
  },
  {
    name: "does not tolerate another effect",
    spec: { tolerations: [{ key: masterTaint.key, operator: "Exists", effect: "NoExecute" }] },
    nodes: [master],
    expected: undefined,
  },
  {
    name: "does not tolerate another value",
    spec: { tolerations: [{ key: "dedicated", value: "a" }] },
    nodes: [{ name: "x", taints: [{ key: "dedicated", value: "b", effect: "NoSchedule" }] }],
    expected: undefined,
  },
  {
    name: "ignores preferences",
    spec: {},
    nodes: [{ ...worker, taints: [{ key: "a", effect: "PreferNoSchedule" }] }],
    expected: "worker",
  },
  { name: "avoids silent nodes", spec: {}, nodes: [{ ...worker, ready: false }], expected: undefined },
  {
    name: "avoids cordoned nodes",
    spec: {},
    nodes: [{ ...worker, unschedulable: true }],
    expected: undefined,
  },
];

for (const { name, spec, nodes, expected } of rows)
  test(`a pod ${name}`, () => assert.equal(chooseNode(spec, nodes.map(node), [])?.metadata.name, expected));

test("pods spread: the node with fewer pods is taken", () => {
  const nodes = [node({ name: "a" }), node({ name: "b" })];
  assert.equal(chooseNode({}, nodes, [pod("a")])?.metadata.name, "b");
});

test("a DaemonSet's pod belongs on silent and cordoned nodes too, but not where a taint keeps it away", () => {
  const unreachable = { key: "node.kubernetes.io/unreachable", effect: "NoExecute" };
  assert.equal(
    fitsDaemon({}, node({ ...worker, ready: false, unschedulable: true, taints: [unreachable] })),
    true,
  );
  assert.equal(fitsDaemon({}, node(master)), false);
});

const lives: readonly {
  readonly name: string;
  readonly pod: KubeObject;
  readonly nodes: readonly NodeState[];
  readonly kind: string;
}[] = [
  { name: "unbound, with room", pod: pod(), nodes: [worker], kind: "bind" },
  { name: "unbound, without", pod: pod(), nodes: [], kind: "unschedulable" },
  { name: "bound", pod: pod("worker"), nodes: [worker], kind: "start" },
  { name: "running", pod: pod("worker", true), nodes: [worker], kind: "none" },
  { name: "on a silent node", pod: pod("worker", true), nodes: [{ ...worker, ready: false }], kind: "lose" },
  { name: "on a node that came back", pod: pod("worker", false), nodes: [worker], kind: "start" },
  { name: "on a node that is gone", pod: pod("worker", true), nodes: [], kind: "remove" },
];

for (const { name, pod: object, nodes, kind } of lives)
  test(`a pod ${name}: ${kind}`, () =>
    assert.equal(planPod({ pod: object, nodes: nodes.map(node), pods: [] }).kind, kind));
