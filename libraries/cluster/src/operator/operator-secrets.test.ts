import assert from "node:assert/strict";
import { test } from "node:test";
import { Secret, valueAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import type { ClusterProperties } from "@keelson/model";
import { memoryCluster } from "../testing/memory-cluster.ts";
import { operatorSecrets, ownPullSecretBackup } from "./operator-secrets.ts";

const { signal } = new AbortController();
const own = new Secret('{"auths":{"quay.io":{"auth":"customer"}}}');
const registryProfiles = [{ name: "arosvc.azurecr.io", username: "token", password: new Secret("secret") }];
const ofRegistry = { "arosvc.azurecr.io": { auth: Buffer.from("token:secret").toString("base64") } };

function secretsWith(properties: Partial<ClusterProperties>, hasRegistry = true) {
  const { context } = memoryCluster(properties);
  if (hasRegistry)
    Object.assign(context.environment, { registry: { resourceId: "/r", domain: "arosvc.azurecr.io" } });
  return operatorSecrets(context);
}

const backupOf = (...of: Parameters<typeof secretsWith>) =>
  JSON.parse(String(valueAt(secretsWith(...of)[0], "stringData", ".dockerconfigjson")));
const { clusterProfile } = memoryCluster().context.cluster.properties;

test("the backup of the pull secret has only the service's registries", () => {
  const customer = { clusterProfile: { ...clusterProfile, pullSecret: own } };
  assert.deepEqual(backupOf({ ...customer, registryProfiles }), { auths: ofRegistry });
  assert.deepEqual(backupOf(customer), { auths: {} });
});

test("a cluster without a registry of the service keeps what its customer pulls with", () => {
  assert.deepEqual(backupOf({ clusterProfile: { ...clusterProfile, pullSecret: own } }, false), {
    auths: { "quay.io": { auth: "customer" } },
  });
  assert.deepEqual(backupOf({}, false), { auths: {} });
});

test("on a cluster with managed identities the operator's identity is in its Secret", async () => {
  const { context } = memoryCluster();
  const identity = { resourceId: "/identities/aro-operator", clientId: "client", objectId: "object" };
  const identities = (name: string) =>
    context.update((cluster) => {
      const { servicePrincipalProfile: _, ...properties } = cluster.properties;
      const platformWorkloadIdentityProfile = { platformWorkloadIdentities: { [name]: identity } };
      return { ...cluster, properties: { ...properties, platformWorkloadIdentityProfile } };
    });
  await identities("aro-operator");
  const [, secret] = operatorSecrets(context);
  assert.equal(secret?.metadata.name, "azure-cloud-credentials");
  assert.deepEqual(secret?.stringData, {
    azure_client_id: "client",
    azure_tenant_id: "22222222-2222-4222-8222-222222222222",
    azure_region: "eastus",
    azure_subscription_id: "11111111-1111-4111-8111-111111111111",
    azure_federated_token_file: "/var/run/secrets/openshift/serviceaccount/token",
  });
  await identities("ingress");
  assert.throws(() => operatorSecrets(context), new Error("operator identity aro-operator not found"));
});

test("the Cluster owns the backup beside other owners, and no earlier Cluster does", async () => {
  const { context, kube } = memoryCluster();
  const key = { namespace: "openshift-azure-operator", name: "cluster" };
  const other = { apiVersion: "v1", kind: "ConfigMap", name: "other", uid: "u0" };
  const earlier = { apiVersion: "aro.openshift.io/v1alpha1", kind: "Cluster", name: "cluster", uid: "u1" };
  kube.put(resources.aroClusters, {
    apiVersion: "aro.openshift.io/v1alpha1",
    metadata: { name: "cluster", uid: "u2" },
  });
  kube.put(resources.secrets, { metadata: { ...key, ownerReferences: [other, earlier] } });
  await ownPullSecretBackup(context);
  const owned = await kube.get(resources.secrets, key, signal);
  assert.deepEqual(owned.metadata.ownerReferences, [
    other,
    { ...earlier, uid: "u2", controller: true, blockOwnerDeletion: true },
  ]);
  await ownPullSecretBackup(context);
  const again = await kube.get(resources.secrets, key, signal);
  assert.equal(again.metadata.resourceVersion, owned.metadata.resourceVersion);
});
