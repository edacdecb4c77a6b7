import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "@keelson/apiserver";
import { conditionOf } from "../../base/conditions.ts";
import { planHealthCheck } from "./plan.ts";

const now = new Date("2026-01-01T01:00:00Z");
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000).toISOString();

const check = (spec: object = {}, annotations: Record<string, string> = {}): KubeObject => ({
  apiVersion: "machine.openshift.io/v1beta1",
  kind: "MachineHealthCheck",
  metadata: { name: "check", namespace: "openshift-machine-api", annotations },
  spec: {
    selector: {
      matchExpressions: [
        { key: "machine.openshift.io/cluster-api-machine-role", operator: "NotIn", values: ["master"] },
      ],
    },
    unhealthyConditions: [
      { type: "Ready", status: "False", timeout: "15m" },
      { type: "Ready", status: "Unknown", timeout: "15m" },
    ],
    maxUnhealthy: "1",
    nodeStartupTimeout: "25m",
    ...spec,
  },
});

interface State {
  readonly name: string;
  readonly ready?: "True" | "False" | "Unknown";
  /**
   * Minutes since the last change of the node's readiness. For a Machine without a node, minutes since the last phase change of
   * the Machine.
   */
  readonly minutes: number;
  readonly role?: string;
  readonly orphan?: boolean;
  readonly phase?: string;
}

const machine = ({
  name,
  ready,
  minutes,
  role = "worker",
  orphan,
  phase = "Running",
}: State): KubeObject => ({
  apiVersion: "machine.openshift.io/v1beta1",
  kind: "Machine",
  metadata: {
    name,
    namespace: "openshift-machine-api",
    labels: { "machine.openshift.io/cluster-api-machine-role": role },
    ...(orphan
      ? {}
      : {
          ownerReferences: [{ apiVersion: "v1", kind: "MachineSet", name: "s", uid: "u", controller: true }],
        }),
  },
  status: { phase, lastUpdated: minutesAgo(minutes), ...(ready ? { nodeRef: { name } } : {}) },
});

const node = ({ name, ready, minutes }: State): KubeObject => ({
  apiVersion: "v1",
  kind: "Node",
  metadata: { name },
  status: { conditions: [{ type: "Ready", status: ready, lastTransitionTime: minutesAgo(minutes) }] },
});

const plan = (states: readonly State[], object = check()) =>
  planHealthCheck({
    check: object,
    machines: states.map(machine),
    nodes: states.filter(({ ready }) => ready).map(node),
    now,
  });

const healthy: State = { name: "a", ready: "True", minutes: 100 };

const rows: readonly {
  readonly name: string;
  readonly states: readonly State[];
  readonly check?: KubeObject;
  readonly gone: readonly string[];
  readonly healthy: number;
}[] = [
  {
    name: "a node silent for too long is replaced",
    states: [healthy, { name: "b", ready: "Unknown", minutes: 16 }],
    gone: ["b"],
    healthy: 1,
  },
  {
    name: "a node that is silent for a short time is not replaced",
    states: [healthy, { name: "b", ready: "Unknown", minutes: 14 }],
    gone: [],
    healthy: 1,
  },
  {
    name: "two broken workers are more than may be replaced",
    states: [
      healthy,
      { name: "b", ready: "False", minutes: 20 },
      { name: "c", ready: "Unknown", minutes: 20 },
    ],
    gone: [],
    healthy: 1,
  },
  {
    name: "a share of the machines may be replaced",
    states: [
      healthy,
      { name: "b", ready: "False", minutes: 20 },
      { name: "c", ready: "Unknown", minutes: 20 },
    ],
    check: check({ maxUnhealthy: "67%" }),
    gone: ["b", "c"],
    healthy: 1,
  },
  {
    name: "a machine without a node after the startup timeout is replaced",
    states: [healthy, { name: "b", minutes: 26, phase: "Provisioned" }],
    gone: ["b"],
    healthy: 1,
  },
  {
    name: "a failed machine is replaced immediately",
    states: [healthy, { name: "b", minutes: 0, phase: "Failed" }],
    gone: ["b"],
    healthy: 1,
  },
  {
    name: "a machine without a controller is not replaced",
    states: [healthy, { name: "b", ready: "Unknown", minutes: 16, orphan: true }],
    gone: [],
    healthy: 1,
  },
  {
    name: "machines outside the selector are ignored",
    states: [healthy, { name: "m", ready: "Unknown", minutes: 60, role: "master" }],
    gone: [],
    healthy: 1,
  },
  {
    name: "a paused check only counts",
    states: [healthy, { name: "b", ready: "Unknown", minutes: 16 }],
    check: check({}, { "cluster.x-k8s.io/paused": "" }),
    gone: [],
    healthy: 1,
  },
];

for (const row of rows)
  test(row.name, () => {
    const { delete: gone, status } = plan(row.states, row.check);
    assert.deepEqual(gone, row.gone);
    assert.equal(status.currentHealthy, row.healthy);
  });

test("it runs again when the next machine is overdue and reports too many unhealthy machines", () => {
  assert.equal(plan([healthy, { name: "b", ready: "Unknown", minutes: 14 }]).nextMs, 60_000);
  assert.equal(plan([healthy]).nextMs, undefined);
  const many = plan([1, 2, 3].map((each) => ({ name: `m${each}`, ready: "False", minutes: 20 }) as const));
  const condition = conditionOf({ status: many.status }, "RemediationAllowed");
  assert.equal(condition.status, "False");
  assert.match(condition.message ?? "", /\(total: 3, unhealthy: 3, maxUnhealthy: 1\)$/);
});
