import assert from "node:assert/strict";
import { test } from "node:test";
import { stringAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import { memoryCluster } from "../testing/memory-cluster.ts";
import { restartAROOperatorMaster } from "./restart-operator.ts";

const { signal } = new AbortController();

test("the operator restarts for other credentials only", async () => {
  const { context, kube } = memoryCluster();
  const namespace = "openshift-azure-operator";
  const secret = { metadata: { namespace, name: "azure-cloud-credentials" } };
  const deployment = { namespace, name: "aro-operator-master" };
  kube.put(resources.deployments, { metadata: deployment, spec: {} });
  kube.put(resources.secrets, { ...secret, data: { a: "1" } });
  const version = async () =>
    (await kube.get(resources.deployments, deployment, signal)).metadata.resourceVersion;
  await restartAROOperatorMaster(context);
  const restarted = await kube.get(resources.deployments, deployment, signal);
  const annotations = ["spec", "template", "metadata", "annotations"];
  const restartedAt = stringAt(restarted, ...annotations, "kubectl.kubernetes.io/restartedAt") ?? "";
  assert.ok(Date.parse(restartedAt) > 0);
  const first = await version();
  await restartAROOperatorMaster(context);
  assert.equal(await version(), first);
  kube.put(resources.secrets, { ...secret, data: { a: "2" } });
  await restartAROOperatorMaster(context);
  assert.notEqual(await version(), first);
  const without = memoryCluster();
  without.kube.put(resources.secrets, secret);
  await restartAROOperatorMaster(without.context);
});
