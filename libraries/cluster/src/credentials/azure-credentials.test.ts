import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock, valueAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import { memoryCluster, specOf } from "../testing/memory-cluster.ts";
import {
  aroCredentialsRequestReconciled,
  updateAROSecret,
  updateOpenShiftSecret,
} from "./azure-credentials.ts";

const singleton = { name: "cluster" };
const { signal } = new AbortController();
const encoded = (text: string) => Buffer.from(text).toString("base64");

test("a changed principal reaches the cloud provider, and components that read it only at startup are redeployed", async () => {
  const { context, kube } = memoryCluster();
  const { clientId = "" } = context.cluster.properties.servicePrincipalProfile ?? {};
  const cloudProvider = { namespace: "kube-system", name: "azure-cloud-provider" };
  const config = "aadClientId: old\naadClientSecret: old\nvnetName: vnet\n";
  kube.put(resources.secrets, { metadata: cloudProvider, data: { "cloud-config": encoded(config) } });
  for (const each of [resources.kubeApiServers, resources.kubeControllerManagers])
    kube.put(each, { metadata: singleton, spec: {} });
  const request = { namespace: "openshift-cloud-credential-operator", name: "openshift-azure-operator" };
  const sync = (agoMs: number) => {
    const lastSyncTimestamp = new Date(systemClock.now().getTime() - agoMs).toISOString();
    kube.put(resources.credentialsRequests, { metadata: request, status: { lastSyncTimestamp } });
  };
  assert.equal(await aroCredentialsRequestReconciled(context), false);
  sync(6 * 60_000);
  assert.equal(await aroCredentialsRequestReconciled(context), false);
  sync(60_000);
  assert.equal(await aroCredentialsRequestReconciled(context), true);
  await updateAROSecret(context);
  const secret = await kube.get(resources.secrets, cloudProvider, signal);
  const text = Buffer.from(`${valueAt(secret, "data", "cloud-config")}`, "base64").toString("utf8");
  assert.equal(text, `aadClientId: ${clientId}\naadClientSecret: none\nvnetName: vnet\n`);
  const reason = await specOf(kube, resources.kubeApiServers, "forceRedeploymentReason");
  assert.match(`${reason}`, /^Credential rotation 20/);
  assert.equal(await specOf(kube, resources.kubeControllerManagers, "forceRedeploymentReason"), reason);
  sync(6 * 60_000);
  assert.equal(await aroCredentialsRequestReconciled(context), true);
  await updateAROSecret(context);
  assert.equal(await specOf(kube, resources.kubeApiServers, "forceRedeploymentReason"), reason);
});

test("the cloud credential operator restarts after a change of the principal", async () => {
  const { context, kube } = memoryCluster();
  const pod = { namespace: "openshift-cloud-credential-operator", name: "operator" };
  kube.put(resources.pods, { metadata: pod });
  await updateOpenShiftSecret(context);
  assert.equal(await kube.find(resources.pods, pod, signal), undefined);
  kube.put(resources.pods, { metadata: pod });
  await updateOpenShiftSecret(context);
  assert.ok(await kube.find(resources.pods, pod, signal));
});
