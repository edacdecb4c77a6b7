import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "@keelson/apiserver";
import { templateHash } from "../pods/template.ts";
import { planStatefulSet, revisionLabel } from "./plan.ts";

const now = new Date("2026-06-01T00:00:00Z");
const set: KubeObject = {
  apiVersion: "apps/v1",
  kind: "StatefulSet",
  metadata: { namespace: "default", name: "web", generation: 1 },
  spec: { replicas: 3, selector: {}, template: { spec: { containers: [{ name: "c", image: "i" }] } } },
};

function pod(ordinal: number, revision: string, metadata: object = {}): KubeObject {
  const labels = { [revisionLabel]: revision };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { namespace: "default", name: `web-${ordinal}`, labels, ...metadata },
    status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] },
  };
}

const counts = (of: KubeObject, pods: readonly KubeObject[]) => {
  const { status } = planStatefulSet(of, pods, now);
  return [status.replicas, status.currentReplicas, status.updatedReplicas];
};

test("pods that are ending are in none of the counts", () => {
  const hash = templateHash(set);
  const ending = { deletionTimestamp: "2026-06-01T00:00:30Z" };
  assert.deepEqual(counts(set, [pod(0, hash), pod(1, hash), pod(2, hash)]), [3, 3, 3]);
  assert.deepEqual(counts(set, [pod(0, hash), pod(1, hash), pod(2, hash, ending)]), [2, 2, 2]);
});

test("during an update each pod is in the count of its revision", () => {
  const hash = templateHash(set);
  const ending = { deletionTimestamp: "2026-06-01T00:00:30Z" };
  const updating = { ...set, status: { currentRevision: "web-old" } };
  assert.deepEqual(counts(updating, [pod(0, "old"), pod(1, "old"), pod(2, hash)]), [3, 2, 1]);
  assert.deepEqual(counts(updating, [pod(0, "old"), pod(1, "old", ending), pod(2, hash)]), [2, 1, 1]);
});

test("a huge number of replicas is created in parts", () => {
  const scaled = (spec: object): KubeObject => ({
    ...set,
    spec: { ...Object(set.spec), replicas: 2_000_000_000, ...spec },
  });
  const huge = scaled({ podManagementPolicy: "Parallel" });
  const { create } = planStatefulSet(huge, [pod(0, templateHash(huge))], now);
  assert.equal(create.length, 500);
  assert.deepEqual(create.slice(0, 2), [1, 2]);
  const ordered = scaled({});
  assert.deepEqual(planStatefulSet(ordered, [pod(0, templateHash(ordered))], now).create, [1]);
});
