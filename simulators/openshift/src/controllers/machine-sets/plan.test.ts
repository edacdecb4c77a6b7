import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "@keelson/apiserver";
import fc from "fast-check";
import { deleteAnnotation, planMachineSet } from "./plan.ts";

const machineSet = (replicas: number): KubeObject => ({
  apiVersion: "machine.openshift.io/v1beta1",
  kind: "MachineSet",
  metadata: { namespace: "openshift-machine-api", name: "set", uid: "set-uid", generation: 3 },
  spec: { replicas, template: { metadata: { labels: { role: "worker" } } } },
});

interface MachineState {
  readonly name: string;
  readonly owner?: string;
  readonly createdAt?: string;
  readonly marked?: boolean;
  readonly deleting?: boolean;
  readonly phase?: string;
  readonly hasNode?: boolean;
}

const machine = (state: MachineState): KubeObject => ({
  apiVersion: "machine.openshift.io/v1beta1",
  kind: "Machine",
  metadata: {
    name: state.name,
    namespace: "openshift-machine-api",
    creationTimestamp: state.createdAt ?? "2026-01-01T00:00:00Z",
    labels: { role: "worker" },
    annotations: state.marked ? { [deleteAnnotation]: "true" } : {},
    ...(state.deleting ? { deletionTimestamp: "2026-01-02T00:00:00Z" } : {}),
    ownerReferences: [
      { apiVersion: "v1", kind: "MachineSet", name: "set", uid: state.owner ?? "set-uid", controller: true },
    ],
  },
  status: { phase: state.phase ?? "Running", ...(state.hasNode ? { nodeRef: { name: state.name } } : {}) },
});

const readyNode = (name: string): KubeObject => ({
  apiVersion: "v1",
  kind: "Node",
  metadata: { name },
  status: { conditions: [{ type: "Ready", status: "True" }] },
});

const plan = (replicas: number, states: readonly MachineState[]) =>
  planMachineSet({
    machineSet: machineSet(replicas),
    machines: states.map(machine),
    nodes: states.filter(({ hasNode }) => hasNode).map(({ name }) => readyNode(name)),
  });

test("missing machines are created, and those that are deleted or of other sets do not count", () => {
  const { create, delete: surplus } = plan(3, [
    { name: "a", hasNode: true },
    { name: "b", deleting: true },
    { name: "c", owner: "other-uid" },
  ]);
  assert.equal(create, 2);
  assert.deepEqual(surplus, []);
});

const order: readonly {
  readonly name: string;
  readonly states: readonly MachineState[];
  readonly first: string;
}[] = [
  {
    name: "the marked one",
    states: [
      { name: "old", hasNode: true, marked: true, createdAt: "2026-01-01T00:00:00Z" },
      { name: "new", phase: "Failed", createdAt: "2026-01-03T00:00:00Z" },
    ],
    first: "old",
  },
  {
    name: "a failed one",
    states: [
      { name: "fine", hasNode: true, createdAt: "2026-01-03T00:00:00Z" },
      { name: "failed", phase: "Failed", createdAt: "2026-01-01T00:00:00Z" },
    ],
    first: "failed",
  },
  {
    name: "one without a node",
    states: [
      { name: "fine", hasNode: true, createdAt: "2026-01-03T00:00:00Z" },
      { name: "young", phase: "Provisioning", createdAt: "2026-01-01T00:00:00Z" },
    ],
    first: "young",
  },
  {
    name: "the newest",
    states: [
      { name: "old", hasNode: true, createdAt: "2026-01-01T00:00:00Z" },
      { name: "new", hasNode: true, createdAt: "2026-01-03T00:00:00Z" },
    ],
    first: "new",
  },
];

for (const { name, states, first } of order)
  test(`scaling down deletes ${name} first`, () => assert.deepEqual(plan(1, states).delete, [first]));

test("the status counts machines, and ready nodes behind them", () => {
  assert.deepEqual(
    plan(3, [{ name: "a", hasNode: true }, { name: "b" }, { name: "c", deleting: true }]).status,
    {
      availableReplicas: 1,
      fullyLabeledReplicas: 2,
      observedGeneration: 3,
      readyReplicas: 1,
      replicas: 2,
    },
  );
});

type Step =
  | { readonly kind: "scale"; readonly replicas: number }
  | { readonly kind: "reconcile" }
  /** Simulates a crash after this number of writes in one reconciliation. */
  | { readonly kind: "crash"; readonly writes: number }
  | { readonly kind: "vanish" | "fail" | "mark"; readonly pick: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant("scale" as const), replicas: fc.nat(6) }),
  fc.record({ kind: fc.constant("reconcile" as const) }),
  fc.record({ kind: fc.constant("crash" as const), writes: fc.nat(4) }),
  fc.record({ kind: fc.constantFrom("vanish" as const, "fail" as const, "mark" as const), pick: fc.nat(9) }),
);

test("one undisturbed reconciliation reaches the desired count from any state", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let replicas = 3;
      let next = 0;
      let world: MachineState[] = [];
      const reconcile = (limit = Infinity): number => {
        const { create, delete: surplus } = plan(replicas, world);
        assert.ok(create === 0 || surplus.length === 0, "a plan that creates deletes nothing");
        const creations = Array.from({ length: create }, () => () => {
          world = [...world, { name: `m${next++}` }];
        });
        const deletions = surplus.map((name) => () => {
          world = world.map((each) => (each.name === name ? { ...each, deleting: true } : each));
        });
        const writes = [...creations, ...deletions].slice(0, limit);
        for (const write of writes) write();
        return writes.length;
      };
      const change = (pick: number, with_: Partial<MachineState>) => {
        world = world.map((each, index) => (index === pick ? { ...each, ...with_ } : each));
      };
      for (const each of steps) {
        if (each.kind === "scale") replicas = each.replicas;
        else if (each.kind === "reconcile") reconcile();
        else if (each.kind === "crash") reconcile(each.writes);
        else if (each.kind === "vanish") world = world.filter((_, index) => index !== each.pick);
        else change(each.pick, each.kind === "fail" ? { phase: "Failed" } : { marked: true });
      }
      reconcile();
      assert.equal(world.filter(({ deleting }) => !deleting).length, replicas);
      assert.equal(reconcile(), 0);
    }),
  );
});

for (const [policy, gone] of [
  ["Oldest", "old"],
  ["Newest", "new"],
  ["Random", "new"],
] as const)
  test(`among equal machines, the delete policy ${policy} deletes the ${gone} one`, () => {
    const set = machineSet(1);
    const states = [
      { name: "new", createdAt: "2026-01-02T00:00:00Z", hasNode: true },
      { name: "old", createdAt: "2026-01-01T00:00:00Z", hasNode: true },
    ];
    const { delete: surplus } = planMachineSet({
      machineSet: { ...set, spec: { replicas: 1, deletePolicy: policy } },
      machines: states.map(machine),
      nodes: states.map(({ name }) => readyNode(name)),
    });
    assert.deepEqual(surplus, [gone]);
  });
