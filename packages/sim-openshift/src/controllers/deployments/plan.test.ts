import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "@keelson/apiserver";
import { conditionStatus } from "../../runtime/conditions.ts";
import { templateHash } from "../pods/template.ts";
import { hashLabel, planDeployment, revisionAnnotation } from "./plan.ts";

const now = new Date("2026-01-01T00:00:00Z");

const deployment = (image: string, spec: object = {}): KubeObject => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { namespace: "default", name: "web", uid: "web-uid", generation: 2 },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: "web" } },
    template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "web", image }] } },
    ...spec,
  },
});

const replicaSet = (
  of: KubeObject,
  revision: number,
  replicas: number,
  available = replicas,
): KubeObject => ({
  apiVersion: "apps/v1",
  kind: "ReplicaSet",
  metadata: {
    namespace: "default",
    name: `web-${templateHash(of)}`,
    labels: { [hashLabel]: templateHash(of) },
    annotations: { [revisionAnnotation]: String(revision) },
    ownerReferences: [
      { apiVersion: "apps/v1", kind: "Deployment", name: "web", uid: "web-uid", controller: true },
    ],
  },
  spec: { replicas },
  status: { replicas, readyReplicas: available, availableReplicas: available },
});

const plan = (of: KubeObject, ...sets: readonly KubeObject[]) => {
  const { create, scale, forget, revision, status } = planDeployment(of, sets, now);
  return {
    created: create?.replicas,
    scaled: scale.map(({ replicaSet: { metadata }, replicas }) => [metadata.name, replicas]),
    forgotten: forget.length,
    revision,
    status,
    available: conditionStatus({ status }, "Available"),
  };
};

const v1 = deployment("web:1");
const v2 = deployment("web:2");

test("a new Deployment gets its first ReplicaSet", () => {
  const { created, revision, available } = plan(v1);
  assert.deepEqual([created, revision, available], [2, 1, "False"]);
});

test("a settled Deployment is left alone, and says so", () => {
  const { created, scaled, available, status } = plan(v1, replicaSet(v1, 1, 2));
  assert.deepEqual([created, scaled, available], [undefined, [], "True"]);
  assert.equal(status.observedGeneration, 2);
  assert.equal(status.unavailableReplicas, undefined);
});

test("scaling reaches the present ReplicaSet", () => {
  assert.deepEqual(plan(deployment("web:1", { replicas: 5 }), replicaSet(v1, 1, 2)).scaled, [
    [`web-${templateHash(v1)}`, 5],
  ]);
});

test("a rolling update keeps the old pods until the new ones are available", () => {
  const begun = plan(v2, replicaSet(v1, 1, 2));
  assert.deepEqual([begun.created, begun.scaled, begun.revision], [2, [], 2]);
  assert.deepEqual(plan(v2, replicaSet(v1, 1, 2), replicaSet(v2, 2, 2, 1)).scaled, []);
  assert.deepEqual(plan(v2, replicaSet(v1, 1, 2), replicaSet(v2, 2, 2)).scaled, [
    [`web-${templateHash(v1)}`, 0],
  ]);
});

test("Recreate stops the old pods before it starts new ones", () => {
  const recreate = deployment("web:2", { strategy: { type: "Recreate" } });
  const during = plan(recreate, replicaSet(v1, 1, 2));
  assert.deepEqual([during.created, during.scaled], [undefined, [[`web-${templateHash(v1)}`, 0]]]);
  assert.equal(plan(recreate, replicaSet(v1, 1, 0)).created, 2);
});

test("a paused Deployment rolls nothing out", () => {
  const { created, revision } = plan(deployment("web:2", { paused: true }), replicaSet(v1, 1, 2));
  assert.deepEqual([created, revision], [undefined, 1]);
});

test("old ReplicaSets beyond the limit are forgotten", () => {
  const limited = deployment("web:3", { revisionHistoryLimit: 1 });
  assert.equal(
    plan(limited, replicaSet(v1, 1, 0), replicaSet(v2, 2, 0), replicaSet(limited, 3, 2)).forgotten,
    1,
  );
});

test("the order of members does not make another template", () => {
  const one = { template: { spec: { a: 1, b: 2 }, metadata: {} } };
  const turned = { template: { metadata: {}, spec: { b: 2, a: 1 } } };
  assert.equal(templateHash({ ...v1, spec: one }), templateHash({ ...v1, spec: turned }));
});
