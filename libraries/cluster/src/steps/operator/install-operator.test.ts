import assert from "node:assert/strict";
import { test } from "node:test";
import { resources, valueAt } from "@keelson/kube";
import { memoryCluster } from "../../testing/memory-cluster.ts";
import { ensureCredentialsRequest, restartAROOperatorMaster } from "./install-operator.ts";

const { signal } = new AbortController();

test("a credentials request that is gone comes back", async () => {
  const { context, kube } = memoryCluster();
  await ensureCredentialsRequest(context);
  const key = { namespace: "openshift-cloud-credential-operator", name: "openshift-azure-operator" };
  const request = await kube.get(resources.credentialsRequests, key, signal);
  assert.deepEqual(valueAt(request, "spec", "secretRef"), {
    name: "azure-cloud-credentials",
    namespace: "openshift-azure-operator",
  });
});

test("the operator begins anew for other credentials only", async () => {
  const { context, kube } = memoryCluster();
  const namespace = "openshift-azure-operator";
  const secret = { metadata: { namespace, name: "azure-cloud-credentials" } };
  const deployment = { namespace, name: "aro-operator-master" };
  kube.put(resources.deployments, { metadata: deployment, spec: {} });
  kube.put(resources.secrets, { ...secret, data: { a: "1" } });
  const version = async () =>
    (await kube.get(resources.deployments, deployment, signal)).metadata.resourceVersion;
  await restartAROOperatorMaster(context);
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
