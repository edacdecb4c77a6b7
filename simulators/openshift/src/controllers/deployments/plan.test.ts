import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "@keelson/apiserver";
import { conditionStatus } from "@keelson/kube";
import fc from "fast-check";
import { templateHash } from "../pods/template.ts";
import { hashLabel, planDeployment, revisionAnnotation } from "./plan.ts";
import { type RollingState, rollingStep } from "./rolling.ts";
import { deploymentStatus } from "./status.ts";

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
  const { create, scale, forget, revision, current } = planDeployment(of, sets);
  const { status } = deploymentStatus(of, sets, current, now);
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

test("a settled Deployment is not changed and reports Available", () => {
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

test("a rolling update replaces pods one by one within its surge", () => {
  const begun = plan(v2, replicaSet(v1, 1, 2));
  assert.deepEqual([begun.created, begun.scaled, begun.revision], [1, [], 2]);
  assert.deepEqual(plan(v2, replicaSet(v1, 1, 2), replicaSet(v2, 2, 1, 0)).scaled, []);
  assert.deepEqual(plan(v2, replicaSet(v1, 1, 2), replicaSet(v2, 2, 1)).scaled, [
    [`web-${templateHash(v1)}`, 1],
  ]);
  assert.deepEqual(plan(v2, replicaSet(v1, 1, 1), replicaSet(v2, 2, 1)).scaled, [
    [`web-${templateHash(v2)}`, 2],
  ]);
});

test("scaling during a rollout adds the missing replicas to the newest ReplicaSet", () => {
  const scaled = deployment("web:2", { replicas: 6 });
  assert.deepEqual(plan(scaled, replicaSet(v1, 1, 2), replicaSet(v2, 2, 1, 0)).scaled, [
    [`web-${templateHash(v2)}`, 6],
  ]);
});

test("a rollback makes the ReplicaSet of the template the newest", () => {
  assert.equal(plan(v1, replicaSet(v1, 1, 0), replicaSet(v2, 2, 2)).revision, 3);
});

test("any rollout completes, and never has too many pods or too few available ones", () => {
  const shape = fc.record({
    replicas: fc.integer({ min: 0, max: 12 }),
    maxSurge: fc.integer({ min: 0, max: 5 }),
    maxUnavailable: fc.integer({ min: 0, max: 5 }),
    old: fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 3 }),
  });
  fc.assert(
    fc.property(shape, ({ replicas, maxSurge, maxUnavailable, old }) => {
      fc.pre(maxSurge + maxUnavailable > 0);
      // Returns a ReplicaSet with the given number of pods, all of which are available.
      const whole = (wanted: number) => ({ wanted, available: wanted });
      const limits = { replicas, maxSurge, maxUnavailable: Math.min(replicas, maxUnavailable) };
      let state: RollingState = { ...limits, current: whole(0), old: old.map(whole) };
      const sum = ({ current, old: others }: RollingState) =>
        current.wanted + others.reduce((all, each) => all + each.wanted, 0);
      for (let steps = 0; steps < 200; steps++) {
        const next = rollingStep(state);
        const after: RollingState = { ...limits, current: whole(next.current), old: next.old.map(whole) };
        assert.ok(sum(after) <= Math.max(sum(state), replicas + maxSurge), "too many");
        const kept =
          Math.min(state.current.wanted, next.current) + next.old.reduce((all, each) => all + each, 0);
        assert.ok(kept >= Math.min(sum(state), replicas - limits.maxUnavailable), "too few");
        state = after;
      }
      assert.equal(state.current.wanted, replicas);
      assert.equal(sum(state), replicas);
    }),
  );
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

test("the order of properties does not change the template", () => {
  const one = { template: { spec: { a: 1, b: 2 }, metadata: {} } };
  const turned = { template: { metadata: {}, spec: { b: 2, a: 1 } } };
  assert.equal(templateHash({ ...v1, spec: one }), templateHash({ ...v1, spec: turned }));
});
