/** What steps settle and repair inside of a cluster. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { CloudError } from "@keelson/arm";
import { Secret, systemClock } from "@keelson/base";
import { type KubeClient, type KubeResource, resources, valueAt } from "@keelson/kube";
import type { ClusterProperties } from "@keelson/model";
import { withProperties } from "@keelson/model";
import { newCluster } from "@keelson/model/testing";
import type { ClusterContext } from "../context.ts";
import { type KubeObjects, kubeObjects } from "../testing/kube-objects.ts";
import { offlineContext } from "../testing/offline-context.ts";
import {
  aroCredentialsRequestReconciled,
  updateAROSecret,
  updateOpenShiftSecret,
} from "./azure-credentials.ts";
import { disableUpdates } from "./cluster-operators.ts";
import { disableOperatorHubSources, disableSamples, updateConsoleBranding } from "./cluster-settings.ts";
import { ensureMTUSize, populateMTUSize, reconcileSoftwareDefinedNetwork } from "./network-profile.ts";
import { ensurePreconfiguredNSG } from "./network-security-group.ts";
import {
  disableOperatorReconciliation,
  enableOperatorReconciliation,
  ensureCredentialsRequest,
  restartAROOperatorMaster,
} from "./operator.ts";
import { populateRegistryStorageAccountName } from "./registry-storage.ts";
import { configureDefaultStorageClass } from "./storage-classes.ts";
import { minimumWorkerNodesReady, scalingEnded } from "./workers.ts";

const { signal } = new AbortController();
const singleton = { name: "cluster" };

function some(properties: Partial<ClusterProperties> = {}): { context: ClusterContext; kube: KubeObjects } {
  const kube = kubeObjects();
  const cluster = withProperties(newCluster({ name: "demo" }), { infraId: "demo-x1x2x", ...properties });
  const change = { kube: () => kube as unknown as KubeClient };
  return { context: offlineContext({ cluster, signal, change }), kube };
}

const specOf = async (kube: KubeObjects, resource: KubeResource, ...path: readonly string[]) =>
  valueAt(await kube.get(resource, singleton, signal), "spec", ...path);
const network = newCluster({ name: "demo" }).properties.networkProfile;
const profile = newCluster({ name: "demo" }).properties.clusterProfile;
const encoded = (text: string) => Buffer.from(text).toString("base64");

test("the console shows whose service it is, and keeps what else it is told", async () => {
  const { context, kube } = some();
  const spec = { customization: { brand: "ocp", customProductName: "mine" } };
  kube.put(resources.operatorConsoles, { metadata: singleton, spec });
  await updateConsoleBranding(context);
  assert.deepEqual(await specOf(kube, resources.operatorConsoles, "customization"), {
    brand: "azure",
    customProductName: "mine",
  });
});

test("a quota that leaves too few workers is told at once, one that leaves enough does no harm", async () => {
  const { context, kube } = some();
  const machine = (name: string, status: object) =>
    kube.put(resources.machines, { metadata: { namespace: "openshift-machine-api", name }, status });
  const failed = { phase: "Failed", errorMessage: "QuotaExceeded: no cores left" };
  machine("a", { phase: "Running" });
  machine("b", { phase: "Provisioning" });
  machine("c", { phase: "Failed", errorMessage: "InvalidParameter: no such subnet" });
  assert.equal(await minimumWorkerNodesReady(context), false);
  machine("c", failed);
  const told = { code: "QuotaExceeded", target: "properties.workerProfiles[0].VMSize" };
  await assert.rejects(minimumWorkerNodesReady(context), (error) => {
    assert.ok(error instanceof CloudError);
    assert.deepEqual([error.status, error.body], [500, { ...told, message: failed.errorMessage }]);
    return true;
  });
  machine("b", { phase: "Running" });
  for (const name of ["a", "b"]) {
    kube.put(resources.nodes, {
      metadata: { name },
      status: { conditions: [{ type: "Ready", status: "True" }] },
    });
  }
  assert.equal(await minimumWorkerNodesReady(context), true);
});

test("a scaling waits for failed machines that are too many, and fails for those that are wanted", async () => {
  const { context, kube } = some({ scaledWorkerCount: 1 });
  const namespace = "openshift-machine-api";
  const labels = { "machine.openshift.io/cluster-api-machine-role": "worker" };
  const ask = (replicas: number) =>
    kube.put(resources.machineSets, {
      metadata: { namespace, name: "workers" },
      spec: { replicas, template: { metadata: { labels } } },
    });
  const machine = (name: string, status: object) =>
    kube.put(resources.machines, { metadata: { namespace, name }, status });
  machine("a", { phase: "Running" });
  machine("b", { phase: "Failed", errorMessage: "QuotaExceeded: no cores left" });
  kube.put(resources.nodes, {
    metadata: { name: "a" },
    status: { conditions: [{ type: "Ready", status: "True" }] },
  });
  ask(2);
  await assert.rejects(scalingEnded(context), /QuotaExceeded/);
  ask(1);
  assert.equal(await scalingEnded(context), false);
  await kube.delete(resources.machines, { namespace, name: "b" }, signal);
  assert.equal(await scalingEnded(context), true);
});

test("updates come from nowhere, and what Hive has installed knows where its release was published", async () => {
  const { context, kube } = some();
  const version = { name: "version" };
  kube.put(resources.clusterVersions, {
    metadata: version,
    spec: { clusterID: "c", upstream: "https://updates.example", channel: "stable" },
  });
  await disableUpdates(context);
  const spec = async () => (await kube.get(resources.clusterVersions, version, signal)).spec;
  assert.deepEqual(await spec(), { clusterID: "c" });
  await context.update((cluster) => withProperties(cluster, { hiveProfile: { createdByHive: true } }));
  const mirrored = { openShiftPullspec: "acr.example/ocp/release:4.19.24", installerPullspec: "i" };
  const registry = { resourceId: "/acr", domain: "acr.example" };
  await disableUpdates({
    ...context,
    cluster: context.cluster,
    release: async () => mirrored,
    environment: { ...context.environment, registry },
  });
  assert.deepEqual(await spec(), {
    clusterID: "c",
    desiredUpdate: { version: "4.19.24", image: "quay.io/ocp/release:4.19.24" },
  });
});

test("without a pull secret there are no samples and no catalogues but the customer's own", async () => {
  const { context, kube } = some();
  const own = { name: "own", disabled: false };
  kube.put(resources.operatorHubs, {
    metadata: singleton,
    spec: { sources: [{ name: "redhat-operators" }, own] },
  });
  await disableSamples(context);
  await disableOperatorHubSources(context);
  await disableOperatorHubSources(context);
  assert.equal(await specOf(kube, resources.samplesConfigs, "managementState"), "Removed");
  assert.deepEqual(await specOf(kube, resources.operatorHubs, "sources"), [
    ...["certified-operators", "community-operators", "redhat-marketplace", "redhat-operators"].map(
      (name) => ({
        name,
        disabled: true,
      }),
    ),
    own,
  ]);
});

test("with a pull secret both stay as they are", async () => {
  const { context, kube } = some({ clusterProfile: { ...profile, pullSecret: new Secret('{"auths":{}}') } });
  kube.put(resources.operatorHubs, { metadata: singleton, spec: {} });
  await disableSamples(context);
  await disableOperatorHubSources(context);
  assert.equal(await kube.find(resources.samplesConfigs, singleton, signal), undefined);
  assert.equal(await specOf(kube, resources.operatorHubs, "sources"), undefined);
});

for (const [version, standard, provisioner] of [
  ["4.19.24", "managed-csi", "disk.csi.azure.com"],
  ["4.10.55", "managed-premium", "kubernetes.io/azure-disk"],
] as const) {
  test(`volumes of ${version} are encrypted with the customer's key by default`, async () => {
    const diskEncryptionSetId = "/subscriptions/s/key";
    const [worker] = newCluster({ name: "demo" }).properties.workerProfiles;
    assert.ok(worker);
    const workerProfiles = [{ ...worker, diskEncryptionSetId }];
    const { context, kube } = some({ workerProfiles, clusterProfile: { ...profile, version } });
    kube.put(resources.storageClasses, { metadata: { name: standard } });
    await configureDefaultStorageClass(context);
    await configureDefaultStorageClass(context);
    const isDefault = "storageclass.kubernetes.io/is-default-class";
    const before = await kube.get(resources.storageClasses, { name: standard }, signal);
    assert.equal(before.metadata.annotations?.[isDefault], "false");
    const made = await kube.get(resources.storageClasses, { name: `${standard}-encrypted-cmk` }, signal);
    assert.equal(made.metadata.annotations?.[isDefault], "true");
    assert.equal(made.provisioner, provisioner);
    assert.equal(valueAt(made, "parameters", "diskEncryptionSetID"), diskEncryptionSetId);
  });
}

test("the operator is told to correct what it finds during the install, and no longer afterwards", async () => {
  const { context, kube } = some();
  kube.put(resources.aroClusters, { metadata: singleton, spec: { operatorflags: { other: "true" } } });
  await enableOperatorReconciliation(context);
  const flags = () => specOf(kube, resources.aroClusters, "operatorflags");
  assert.deepEqual(await flags(), { other: "true", "aro.forcereconciliation": "true" });
  await disableOperatorReconciliation(context);
  assert.deepEqual(await flags(), { other: "true", "aro.forcereconciliation": "false" });
});

test("a credentials request that is gone comes back", async () => {
  const { context, kube } = some();
  await ensureCredentialsRequest(context);
  const key = { namespace: "openshift-cloud-credential-operator", name: "openshift-azure-operator" };
  const request = await kube.get(resources.credentialsRequests, key, signal);
  assert.deepEqual(valueAt(request, "spec", "secretRef"), {
    name: "azure-cloud-credentials",
    namespace: "openshift-azure-operator",
  });
});

test("the operator begins anew for other credentials only", async () => {
  const { context, kube } = some();
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
  const without = some();
  without.kube.put(resources.secrets, secret);
  await restartAROOperatorMaster(without.context);
});

test("another principal gets to the cloud provider, and what reads it only once begins anew", async () => {
  const { context, kube } = some();
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

test("the operator for credentials begins anew when the principal is another", async () => {
  const { context, kube } = some();
  const pod = { namespace: "openshift-cloud-credential-operator", name: "operator" };
  kube.put(resources.pods, { metadata: pod });
  await updateOpenShiftSecret(context);
  assert.equal(await kube.find(resources.pods, pod, signal), undefined);
  kube.put(resources.pods, { metadata: pod });
  await updateOpenShiftSecret(context);
  assert.ok(await kube.find(resources.pods, pod, signal));
});

test("a cluster that has left the old network plug-in is known to have", async () => {
  const { context, kube } = some({ networkProfile: { ...network, softwareDefinedNetwork: "OpenShiftSDN" } });
  const plugIn = () => context.cluster.properties.networkProfile.softwareDefinedNetwork;
  kube.put(resources.configNetworks, { metadata: singleton, spec: { networkType: "OpenShiftSDN" } });
  await reconcileSoftwareDefinedNetwork(context);
  assert.equal(plugIn(), "OpenShiftSDN");
  kube.put(resources.configNetworks, { metadata: singleton, spec: { networkType: "OVNKubernetes" } });
  await reconcileSoftwareDefinedNetwork(context);
  assert.equal(plugIn(), "OVNKubernetes");
});

test("the size of packets is the subscription's for new clusters, and their own for old ones", async () => {
  const mtuOf = ({ cluster }: ClusterContext) => cluster.properties.networkProfile.mtuSize;
  const plain = some();
  await populateMTUSize(plain.context);
  assert.equal(mtuOf(plain.context), 1500);
  const old = some();
  old.kube.put(resources.machineConfigs, { metadata: { name: "99-master-mtu" } });
  await ensureMTUSize(old.context);
  assert.equal(mtuOf(old.context), 3900);
  await ensureMTUSize(plain.context);
  assert.equal(mtuOf(plain.context), 1500);
});

test("an old cluster is asked where its registry keeps images", async () => {
  const { context, kube } = some();
  await populateRegistryStorageAccountName(context);
  assert.equal(context.cluster.properties.imageRegistryStorageAccountName, undefined);
  const spec = { storage: { azure: { accountName: "imageregistryold" } } };
  kube.put(resources.imageRegistryConfigs, { metadata: singleton, spec });
  await populateRegistryStorageAccountName(context);
  assert.equal(context.cluster.properties.imageRegistryStorageAccountName, "imageregistryold");
});

test("the operator leaves the security groups alone that a customer brought", async () => {
  const flagsOf = async (preconfiguredNSG: "Enabled" | "Disabled") => {
    const { context } = some({ networkProfile: { ...network, preconfiguredNSG } });
    await ensurePreconfiguredNSG(context);
    return context.cluster.properties.operatorFlags;
  };
  assert.deepEqual(await flagsOf("Enabled"), { "aro.azuresubnets.nsg.managed": "false" });
  assert.equal(await flagsOf("Disabled"), undefined);
});
