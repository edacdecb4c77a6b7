import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject, ResourceRef } from "@keelson/apiserver";
import { listedOwner, topmostOwner } from "./process-owner.ts";

const namespace = "operators";
type Reference = readonly [apiVersion: string, kind: string, name: string, uid: string, controller?: boolean];

function object(kind: string, name: string, uid: string, owner?: Reference): KubeObject {
  const [apiVersion, ownerKind, ownerName, ownerUid, controller = true] = owner ?? [];
  const references = [{ apiVersion, kind: ownerKind, name: ownerName, uid: ownerUid, controller }];
  return {
    apiVersion: "v1",
    kind,
    metadata: { namespace, name, uid, ...(owner && { ownerReferences: references }) },
  } as KubeObject;
}

const stored = [
  // Objects of a release have ClusterVersion as their owner.
  object("deployments", "operator", "d", ["config.openshift.io/v1", "ClusterVersion", "version", "v", false]),
  object("replicasets", "operator-1", "r", ["apps/v1", "Deployment", "operator", "d"]),
  object("replicasets", "orphan", "o"),
  object("replicasets", "stale", "s", ["apps/v1", "Deployment", "operator", "deleted"]),
  object("cronjobs", "nightly", "c"),
  object("jobs", "nightly-1", "j", ["batch/v1", "CronJob", "nightly", "c"]),
  object("jobs", "install-1", "i", ["hive.openshift.io/v1", "ClusterProvision", "install", "unknown"]),
  object("jobs", "stale-1", "t", ["batch/v1", "CronJob", "nightly", "deleted"]),
  object("configmaps", "revision-status-3", "m"),
];
const context = {
  client: {
    find: async (ref: ResourceRef, key: { namespace?: string; name: string }) =>
      stored.find(
        ({ kind, metadata }) =>
          kind === ref.resource && metadata.name === key.name && metadata.namespace === key.namespace,
      ),
  },
} as unknown as Parameters<typeof topmostOwner>[1];

const rows: readonly (readonly [owner: Reference | undefined, topmost: string | undefined])[] = [
  [undefined, "Pod pod"],
  [["apps/v1", "ReplicaSet", "operator-1", "r"], "Deployment operator"],
  [["apps/v1", "ReplicaSet", "orphan", "o"], "ReplicaSet orphan"],
  [["batch/v1", "Job", "nightly-1", "j"], "CronJob nightly"],
  // The Job has a custom resource as its controller.
  [["batch/v1", "Job", "install-1", "i"], "Job install-1"],
  [["batch/v1", "Job", "stale-1", "t"], undefined],
  // Installer pods belong to a ConfigMap.
  [["v1", "ConfigMap", "revision-status-3", "m", false], "ConfigMap revision-status-3"],
  // References to owners that do not exist, or exist with a different UID.
  [["apps/v1", "ReplicaSet", "operator-1", "guessed"], undefined],
  [["apps/v1", "ReplicaSet", "missing", "r"], undefined],
  [["apps/v1", "ReplicaSet", "stale", "s"], undefined],
  [["v1", "ConfigMap", "revision-status-4", "m"], undefined],
  // Kinds of a different API group and kinds that cannot own pods.
  [["example.com/v1", "Deployment", "operator", "d"], undefined],
  [["v1", "Deployment", "operator", "d"], undefined],
  [["v1", "Node", "master-0", "n"], undefined],
];

for (const [owner, topmost] of rows)
  test(`the topmost owner of a pod with owner ${owner?.join(" ") ?? "none"} is ${topmost ?? "unknown"}`, async () => {
    const found = await topmostOwner(object("pods", "pod", "p", owner), context);
    assert.equal(found && `${found.kind} ${found.name}`, topmost);
  });

test("an owner is listed only with its namespace, kind and name", () => {
  const list = [
    { namespace, kind: "Deployment", name: "operator", programs: ["a"] },
    { namespace, kind: "ConfigMap", name: /^revision-status-\d+$/, programs: ["b"] },
  ];
  const programs = (of: string, kind: string, name: string) =>
    listedOwner({ namespace: of, kind, name }, list)?.programs;
  assert.deepEqual(programs(namespace, "Deployment", "operator"), ["a"]);
  assert.deepEqual(programs(namespace, "ConfigMap", "revision-status-12"), ["b"]);
  for (const [of, kind, name] of [
    ["tenant", "Deployment", "operator"],
    [namespace, "ReplicaSet", "operator"],
    [namespace, "Deployment", "operator-2"],
    [namespace, "ConfigMap", "xrevision-status-12"],
    [namespace, "ConfigMap", "revision-status-"],
  ] as const)
    assert.equal(programs(of, kind, name), undefined, `${of} ${kind} ${name}`);
});
