import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "@keelson/kube";
import { mastersReady } from "./masters-ready.ts";

const master = (name: string, conditions: readonly object[]): KubeObject => ({
  apiVersion: "v1",
  kind: "Node",
  metadata: { name },
  status: { conditions },
});
const ready = { type: "Ready", status: "True" };
const failing = { type: "Ready", status: "False", reason: "TestReason", message: "test message" };

for (const [title, nodes, status, message] of [
  ["all masters are ready", [master("a", [ready])], "False", "All master nodes are ready"],
  [
    "one is not ready: the time is as Go prints it",
    [master("a", [ready]), master("b", [{ ...failing, lastTransitionTime: "2018-01-12T22:51:48Z" }])],
    "True",
    'The master nodes not ready: node "b" not ready since 2018-01-12 22:51:48 +0000 UTC because TestReason (test message)',
  ],
  [
    "a condition without a time, and a node without the condition",
    [master("a", [failing]), master("b", [])],
    "True",
    'The master nodes not ready: node "a" not ready since 0001-01-01 00:00:00 +0000 UTC because TestReason (test message), node "b" not ready, no Ready condition found in status block',
  ],
] as const)
  test(`NodeControllerDegraded: ${title}`, () =>
    assert.deepEqual(mastersReady(nodes), {
      type: "NodeControllerDegraded",
      status,
      reason: "MasterNodesReady",
      message,
    }));
