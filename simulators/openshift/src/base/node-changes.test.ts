import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "@keelson/kube";
import { nodeChanged, nodeReadinessChanged } from "./node-changes.ts";

const node = (
  { heartbeat = "2026-01-01T00:00:00Z", ready = "True" } = {},
  more: Partial<KubeObject> = {},
): KubeObject => ({
  apiVersion: "v1",
  kind: "Node",
  metadata: { name: "n", resourceVersion: heartbeat, labels: { zone: "1" } },
  spec: {},
  status: { conditions: [{ type: "Ready", status: ready, lastHeartbeatTime: heartbeat }] },
  ...more,
});

const before = node();
const rows: readonly (readonly [string, KubeObject, boolean, boolean])[] = [
  ["a heartbeat", node({ heartbeat: "2026-01-01T00:05:00Z" }), false, false],
  ["a change of readiness", node({ ready: "False" }), true, true],
  ["a label", node({}, { metadata: { name: "n", labels: { zone: "2" } } }), true, true],
  ["an annotation", node({}, { metadata: { ...before.metadata, annotations: { a: "b" } } }), true, false],
  ["a cordon", node({}, { spec: { unschedulable: true } }), true, false],
];

for (const [name, object, changed, readiness] of rows)
  test(`the predicates of nodes judge ${name}`, () => {
    const change = { type: "updated", object, before, initial: false } as const;
    assert.equal(nodeChanged(change), changed);
    assert.equal(nodeChanged(change), changed);
    assert.equal(nodeReadinessChanged(change), readiness);
  });

test("a new node and a deleted node are changes", () => {
  assert.equal(nodeChanged({ type: "created", object: before, initial: false }), true);
  assert.equal(nodeChanged({ type: "deleted", object: before, before, initial: false }), true);
});
