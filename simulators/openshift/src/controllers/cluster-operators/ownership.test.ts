import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "@keelson/apiserver";
import { clusterOperators } from "./facts.ts";
import { managementAnnotation, ownershipOf } from "./ownership.ts";

const now = new Date("2026-01-01T12:00:00Z");
const before = (seconds: number) => new Date(now.getTime() - seconds * 1_000).toISOString();

const operator = (
  writes: Readonly<Record<string, number>>,
  annotations: Readonly<Record<string, string>> = {},
): KubeObject => ({
  apiVersion: "config.openshift.io/v1",
  kind: "ClusterOperator",
  metadata: {
    name: "kube-apiserver",
    annotations,
    managedFields: Object.entries(writes).map(([manager, ago]) => ({
      manager,
      operation: "Update",
      subresource: "status",
      apiVersion: "config.openshift.io/v1",
      time: before(ago),
      fieldsType: "FieldsV1",
      fieldsV1: {},
    })),
  },
});

const lease = (namespace: string, name: string, ago: number, holderIdentity = "pod_1"): KubeObject => ({
  apiVersion: "coordination.k8s.io/v1",
  kind: "Lease",
  metadata: { namespace, name },
  spec: { holderIdentity, leaseDurationSeconds: 137, renewTime: before(ago) },
});

const own = "openshift-kube-apiserver-operator";
const shared = "openshift-machine-api";

const rows: readonly {
  readonly name: string;
  readonly of?: string;
  readonly operator?: KubeObject;
  readonly leases?: readonly KubeObject[];
  readonly brought?: boolean;
  readonly owner: "simulation" | "other";
  readonly untilIn?: number;
}[] = [
  { name: "without any trace", owner: "simulation" },
  { name: "that only the simulation wrote", operator: operator({ keelson: 5 }), owner: "simulation" },
  {
    name: "with an operator that holds its lease",
    operator: operator({ keelson: 5 }),
    leases: [lease(own, "kube-apiserver-operator-lock", 37)],
    owner: "other",
    untilIn: 100,
  },
  {
    name: "with an operator that has an expired lease",
    leases: [lease(own, "kube-apiserver-operator-lock", 138)],
    owner: "simulation",
  },
  {
    name: "with an operator that released its lease",
    leases: [lease(own, "kube-apiserver-operator-lock", 1, "")],
    owner: "simulation",
  },
  {
    name: "with an operator that wrote and then released its lease",
    operator: operator({ keelson: 300, "cluster-kube-apiserver-operator": 2 }),
    leases: [lease(own, "kube-apiserver-operator-lock", 1, "")],
    owner: "simulation",
  },
  {
    name: "that was written after its operator gave its lease back",
    operator: operator({ keelson: 300, kubectl: 100 }),
    leases: [lease(own, "kube-apiserver-operator-lock", 200, "")],
    owner: "other",
    untilIn: 500,
  },
  {
    name: "with a different operator's lease in a shared namespace",
    of: "machine-api",
    leases: [lease(shared, "cluster-autoscaler-operator-leader", 1)],
    owner: "simulation",
  },
  {
    name: "with its own lease in a namespace that it shares",
    of: "cluster-autoscaler",
    leases: [lease(shared, "cluster-autoscaler-operator-leader", 37)],
    owner: "other",
    untilIn: 100,
  },
  {
    name: "that a different manager wrote a while ago",
    operator: operator({ keelson: 300, "cluster-samples-operator": 100 }),
    owner: "other",
    untilIn: 500,
  },
  {
    name: "that a different manager wrote in the same second",
    operator: operator({ keelson: 100, "cluster-samples-operator": 100 }),
    owner: "other",
    untilIn: 500,
  },
  {
    name: "that a different manager wrote long ago",
    operator: operator({ keelson: 3_000, "cluster-samples-operator": 601 }),
    owner: "simulation",
  },
  {
    name: "that the simulation has resumed to write",
    operator: operator({ keelson: 5, "cluster-samples-operator": 601 }),
    owner: "simulation",
  },
  {
    name: "with an operator of the release that released its lease",
    operator: operator({ keelson: 5 }),
    leases: [lease(own, "kube-apiserver-operator-lock", 1, "")],
    brought: true,
    owner: "other",
  },
  {
    name: "with the annotation Managed, although the release contains its operator,",
    operator: operator({ other: 1 }, { [managementAnnotation]: "Managed" }),
    brought: true,
    owner: "simulation",
  },
  {
    name: "with the annotation Unmanaged",
    operator: operator({ keelson: 5 }, { [managementAnnotation]: "Unmanaged" }),
    owner: "other",
  },
  {
    name: "with the annotation Managed",
    operator: operator({ other: 1 }, { [managementAnnotation]: "Managed" }),
    leases: [lease(own, "kube-apiserver-operator-lock", 1)],
    owner: "simulation",
  },
];

for (const {
  name,
  of = "kube-apiserver",
  operator: observed,
  leases = [],
  brought = false,
  owner,
  untilIn,
} of rows)
  test(`a status ${name} is managed by ${owner === "other" ? "a real operator" : "the simulation"}`, () => {
    const facts = clusterOperators.find((each) => each.name === of);
    assert.ok(facts);
    const ownership = ownershipOf(facts, { operator: observed, leases, brought, now });
    assert.equal(ownership.owner, owner);
    const until = ownership.owner === "other" ? ownership.until : undefined;
    assert.equal(until?.getTime(), untilIn === undefined ? undefined : now.getTime() + untilIn * 1_000);
  });
