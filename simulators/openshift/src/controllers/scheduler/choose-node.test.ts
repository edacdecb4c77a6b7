import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "@keelson/apiserver";
import { chooseNode, fitsDaemon, type PodsOnNodes } from "./choose-node.ts";
import { NodeOccupancy } from "./node-occupancy.ts";
import { occupiesNode, podDemand } from "./pod-demand.ts";

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

const pod = (spec: object = {}): KubeObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { namespace: "default", name: "pod", uid: "uid", labels: { app: "a" } },
  spec: { containers: [], ...spec },
});

const present = (others: Readonly<Record<string, KubeObject[]>>): PodsOnNodes => ({
  podsOn: (name) => others[name] ?? [],
  occupancyOf(name) {
    const occupancy = new NodeOccupancy();
    for (const each of others[name] ?? []) if (occupiesNode(each)) occupancy.add(podDemand(each));
    return occupancy;
  },
});

const chosen = (
  spec: object,
  nodes: readonly KubeObject[],
  others: Readonly<Record<string, KubeObject[]>> = {},
) => {
  const choice = chooseNode(pod(spec), nodes, present(others));
  return choice.kind === "node" ? choice.node.metadata.name : undefined;
};

const masterTaint = { key: "node-role.kubernetes.io/master", effect: "NoSchedule" };
const master = { name: "master", labels: { role: "master" }, taints: [masterTaint] };
const worker = { name: "worker", labels: { role: "worker" } };

const rows: readonly {
  readonly name: string;
  readonly spec: object;
  readonly nodes: readonly NodeState[];
  readonly expected: string | undefined;
}[] = [
  { name: "is assigned to a fitting node", spec: {}, nodes: [master, worker], expected: "worker" },
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
    name: "does not tolerate a different effect",
    spec: { tolerations: [{ key: masterTaint.key, operator: "Exists", effect: "NoExecute" }] },
    nodes: [master],
    expected: undefined,
  },
  {
    name: "does not tolerate a different value",
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
  test(`a pod ${name}`, () => assert.equal(chosen(spec, nodes.map(node)), expected));

test("pods are spread: the node with fewer pods is selected", () => {
  assert.equal(chosen({}, [node({ name: "a" }), node({ name: "b" })], { a: [pod()] }), "b");
});

const affinity = (...matchExpressions: readonly object[]) => ({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] },
    },
  },
});

test("required affinity decides, by labels and by numbers", () => {
  const nodes = [
    node({ name: "a", labels: { size: "3" } }),
    node({ name: "b", labels: { size: "9", gpu: "" } }),
  ];
  assert.equal(chosen(affinity({ key: "gpu", operator: "Exists" }), nodes), "b");
  assert.equal(chosen(affinity({ key: "gpu", operator: "DoesNotExist" }), nodes), "a");
  assert.equal(chosen(affinity({ key: "size", operator: "Gt", values: ["5"] }), nodes), "b");
  assert.equal(chosen(affinity({ key: "size", operator: "In", values: ["4"] }), nodes), undefined);
});

test("pods avoid nodes with conflicting pods, used host ports or insufficient resources", () => {
  const nodes = [node({ name: "a" }), node({ name: "b" })];
  const taken = {
    a: [pod({ containers: [{ ports: [{ hostPort: 80 }], resources: { requests: { cpu: "1500m" } } }] })],
  };
  const apart = {
    affinity: {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: "kubernetes.io/hostname", labelSelector: { matchLabels: { app: "a" } } },
        ],
      },
    },
  };
  assert.equal(chosen(apart, nodes, taken), "b");
  assert.equal(chosen({ containers: [{ ports: [{ hostPort: 80 }] }] }, nodes, taken), "b");
  const small = nodes.map((each) => ({
    ...each,
    status: { conditions: [{ type: "Ready", status: "True" }], allocatable: { cpu: "2", memory: "1Gi" } },
  }));
  const wants = (resources: object) => ({ containers: [{ resources: { requests: resources } }] });
  assert.equal(chosen(wants({ cpu: "1" }), small, taken), "b");
  assert.equal(chosen(wants({ cpu: "500m", memory: "512Mi" }), small, taken), "b");
  assert.equal(chosen(wants({ memory: "2Gi" }), small, taken), undefined);
});

test("why no node will do is counted, in the scheduler's words", () => {
  const nodes = [node(master), node({ ...worker, unschedulable: true }), node({ name: "w2", labels: {} })];
  const choice = chooseNode(pod({ nodeSelector: { role: "worker" } }), nodes, present({}));
  assert.deepEqual(choice, {
    kind: "none",
    message:
      "0/3 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, " +
      "1 node(s) had untolerated taint {node-role.kubernetes.io/master: }, 1 node(s) were unschedulable.",
  });
});

test("pod affinity other than required anti-affinity by host name has no effect", () => {
  const term = (topologyKey: string) => ({ labelSelector: { matchLabels: { app: "a" } }, topologyKey });
  const others = { worker: [pod()] };
  const on = (affinity: object) => chosen({ affinity }, [node(worker)], others);
  const required = (key: string) => ({ requiredDuringSchedulingIgnoredDuringExecution: [term(key)] });
  assert.equal(on({ podAntiAffinity: required("kubernetes.io/hostname") }), undefined);
  assert.equal(on({ podAntiAffinity: required("topology.kubernetes.io/zone") }), "worker");
  assert.equal(on({ podAffinity: required("topology.kubernetes.io/zone") }), "worker");
  const preferred = { weight: 1, podAffinityTerm: term("kubernetes.io/hostname") };
  const soft = { preferredDuringSchedulingIgnoredDuringExecution: [preferred] };
  assert.equal(on({ podAntiAffinity: soft }), "worker");
});

test("a DaemonSet's pod also runs on silent and cordoned nodes, but not against a taint", () => {
  const unreachable = { key: "node.kubernetes.io/unreachable", effect: "NoExecute" };
  assert.equal(
    fitsDaemon({}, node({ ...worker, ready: false, unschedulable: true, taints: [unreachable] })),
    true,
  );
  assert.equal(fitsDaemon({}, node(master)), false);
});

test("a pod without anti-affinity is scheduled without reading the pods of the nodes", () => {
  const podsOn = () => {
    throw new Error("the pods were read");
  };
  const busy = new NodeOccupancy();
  busy.add(podDemand(pod()));
  const occupancyOf = (name: string) => (name === "a" ? busy : new NodeOccupancy());
  const choice = chooseNode(pod(), [node({ name: "a" }), node({ name: "b" })], { podsOn, occupancyOf });
  assert.equal(choice.kind === "node" && choice.node.metadata.name, "b");
  assert.equal(busy.pods, 1);
});
