import assert from "node:assert/strict";
import { test } from "node:test";
import { objectAt, valueAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";
import { withSharedParts } from "./shared-pod-parts.ts";

const pod = (name: string): KubeObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: {
    name,
    namespace: "default",
    uid: name,
    labels: { app: "a" },
    managedFields: [],
  } as KubeObject["metadata"],
  spec: {
    nodeName: "n",
    containers: [{ name: "c", image: "registry.example.com/c:1", volumeMounts: [{ name: `token-${name}` }] }],
    volumes: [{ name: `token-${name}`, projected: { sources: [{ configMap: { name: "ca" } }] } }],
  },
  status: {
    phase: "Running",
    conditions: [{ type: "Ready", status: "True", lastTransitionTime: "2026-01-01T00:00:00Z" }],
    containerStatuses: [
      { name: "c", containerID: name, state: { running: { startedAt: "2026-01-01T00:00:00Z" } } },
    ],
  },
});

test("a cached pod equals its pod without managed fields", () => {
  const { managedFields: _, ...metadata } = objectAt(pod("a"), "metadata");
  assert.deepEqual(withSharedParts(pod("a")), { ...pod("a"), metadata });
});

test("equal parts of two pods are one object, and different parts stay different", () => {
  const [a, b] = [withSharedParts(pod("a")), withSharedParts(pod("b"))];
  for (const path of [
    ["metadata", "labels"],
    ["spec", "volumes", 0, "projected"],
    ["status", "conditions", 0],
    ["status", "containerStatuses", 0, "state"],
  ])
    assert.equal(valueAt(a, ...path), valueAt(b, ...path));
  assert.equal(valueAt(b, "status", "containerStatuses", 0, "containerID"), "b");
  assert.equal(valueAt(b, "spec", "volumes", 0, "name"), "token-b");
});

test("parts are shared after thousands of other parts, and a pod without parts stays as it is", () => {
  withSharedParts(pod("a"));
  for (let at = 0; at < 5_000; at++)
    withSharedParts({ ...pod("x"), metadata: { name: "x", labels: { number: `${at}` } } });
  const [a, b] = [withSharedParts(pod("a")), withSharedParts(pod("b"))];
  assert.equal(a.metadata.labels, b.metadata.labels);
  const bare = { apiVersion: "v1", kind: "Pod", metadata: { name: "bare" } };
  assert.deepEqual(JSON.parse(JSON.stringify(withSharedParts(bare))), bare);
});
