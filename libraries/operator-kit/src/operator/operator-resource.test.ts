import assert from "node:assert/strict";
import { test } from "node:test";
import { type KubeObject, resources } from "@keelson/kube";
import { operatorChanged } from "./operator-resource.ts";

const condition = (type: string, status: string) => ({ type, status });
const before: KubeObject = {
  apiVersion: "operator.openshift.io/v1",
  kind: "KubeAPIServer",
  metadata: { name: "cluster", generation: 1, resourceVersion: "1" },
  status: {
    latestAvailableRevision: 1,
    conditions: [condition("OwnDegraded", "False"), condition("OtherDegraded", "False")],
  },
};
const status = (change: object): KubeObject => ({
  ...before,
  status: { latestAvailableRevision: 1, conditions: [], ...change },
});
const { where } = operatorChanged(resources.kubeApiServers, (type) => type === "OwnDegraded");

for (const [name, object, isRead] of [
  ["a new generation", { ...before, metadata: { ...before.metadata, generation: 2 } }, true],
  [
    "a new revision",
    { ...before, status: { ...(before.status as object), latestAvailableRevision: 2 } },
    true,
  ],
  [
    "its own condition",
    status({ conditions: [condition("OwnDegraded", "True"), condition("OtherDegraded", "False")] }),
    true,
  ],
  ["its own condition that went", status({ conditions: [condition("OtherDegraded", "False")] }), true],
  [
    "the condition of a different controller",
    status({ conditions: [condition("OwnDegraded", "False"), condition("OtherDegraded", "True")] }),
    false,
  ],
  [
    "how a plugin of a key management service is",
    {
      ...before,
      status: { ...(before.status as object), encryptionStatus: { healthReports: [{ keyID: "1" }] } },
    },
    false,
  ],
  [
    "a trial of a key management service",
    {
      ...before,
      status: {
        ...(before.status as object),
        encryptionStatus: { preflight: { observedConfigHash: "cuZm_g==" } },
      },
    },
    true,
  ],
  ["who wrote it", { ...before, metadata: { ...before.metadata, resourceVersion: "2" } }, false],
] as const)
  test(`${name} ${isRead ? "wakes" : "does not wake"} a controller`, () => {
    assert.equal(where({ type: "updated", object, before, initial: false }), isRead);
  });
