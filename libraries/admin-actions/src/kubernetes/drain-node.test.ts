import assert from "node:assert/strict";
import { test } from "node:test";
import { comesBack } from "./drain-node.ts";

test("pods that their node or DaemonSet starts again are left where they are", () => {
  const owned = (kind: string) => ({ ownerReferences: [{ apiVersion: "v1", kind, name: "x", uid: "1" }] });
  const rows: readonly (readonly [string, object, string, boolean])[] = [
    ["of nobody", {}, "Running", false],
    ["of a ReplicaSet", owned("ReplicaSet"), "Running", false],
    ["of a DaemonSet", owned("DaemonSet"), "Running", true],
    ["of a DaemonSet, ended", owned("DaemonSet"), "Succeeded", false],
    ["of its node", owned("Node"), "Running", true],
    ["static", { annotations: { "kubernetes.io/config.mirror": "1" } }, "Running", true],
    ["static, ended", { annotations: { "kubernetes.io/config.mirror": "1" } }, "Failed", true],
  ];
  for (const [name, metadata, phase, stays] of rows) {
    const pod = { apiVersion: "v1", kind: "Pod", metadata: { name, ...metadata }, status: { phase } };
    assert.equal(comesBack(pod), stays, name);
  }
});
