import assert from "node:assert/strict";
import { test } from "node:test";
import { resources } from "@keelson/kube";
import { memoryCluster, specOf } from "../testing/memory-cluster.ts";
import { disableOperatorReconciliation, enableOperatorReconciliation } from "./operator-settings.ts";

const singleton = { name: "cluster" };

test("the operator may reboot nodes for what it keeps during the install, and not afterwards", async () => {
  const { context, kube } = memoryCluster();
  kube.put(resources.aroClusters, { metadata: singleton, spec: { operatorflags: { other: "true" } } });
  await enableOperatorReconciliation(context);
  const flags = () => specOf(kube, resources.aroClusters, "operatorflags");
  assert.deepEqual(await flags(), { other: "true", "aro.forcereconciliation": "true" });
  await disableOperatorReconciliation(context);
  assert.deepEqual(await flags(), { other: "true", "aro.forcereconciliation": "false" });
});
