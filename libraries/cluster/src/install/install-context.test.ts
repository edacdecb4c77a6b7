import assert from "node:assert/strict";
import { test } from "node:test";
import type { AzureClients, BlobContainer } from "@keelson/azure";
import { Secret, stringAt } from "@keelson/base";
import { preparedCluster, withIdentities } from "@keelson/model/testing";
import { offlineContext } from "../testing/offline-context.ts";
import { installContext } from "./install-context.ts";

const signal = AbortSignal.timeout(900_000);
const key = new Secret("key");

function identityCluster() {
  const names = ["machine-api", "image-registry", "aro-operator"];
  const cluster = withIdentities(
    preparedCluster(key),
    "https://identity",
    identity("own"),
    Object.fromEntries(names.map((name) => [name, identity(name)])),
  );
  const platformWorkloadIdentities = Object.fromEntries(
    names.map((name) => [name, { resourceId: identity(name), clientId: name, objectId: name }]),
  );
  const clusterProfile = { ...cluster.properties.clusterProfile, oidcIssuer: "https://issuer.example/t/d" };
  const properties = {
    ...cluster.properties,
    clusterProfile,
    platformWorkloadIdentityProfile: { platformWorkloadIdentities },
  };
  return { ...cluster, properties };
}

const identity = (name: string) =>
  `/subscriptions/11111111-1111-4111-8111-111111111111/resourceGroups/identities/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`;

test("operators sign in with the secrets of their identities, but for the service's own operator", async () => {
  const context = installContext(offlineContext({ cluster: identityCluster(), signal }));
  const objects = await context.operatorCredentials();
  assert.deepEqual(
    objects.map(({ kind, metadata: { namespace = "", name } }) => `${kind} ${namespace}/${name}`),
    [
      "Secret openshift-machine-api/azure-cloud-credentials",
      "Secret openshift-image-registry/installer-cloud-credentials",
      "Secret openshift-cloud-credential-operator/azure-credentials",
      "CloudCredential /cluster",
      "Authentication /cluster",
    ],
  );
  assert.equal(stringAt(objects[0], "stringData", "azure_client_id"), "machine-api");
  assert.ok(stringAt(objects[0], "stringData", "azure_federated_token_file"));
  assert.ok(stringAt(objects[2], "stringData", "azure_tenant_id"));
  assert.equal(stringAt(objects[4], "spec", "serviceAccountIssuer"), "https://issuer.example/t/d");
});

test("operators sign in with the cluster's service principal where there is one", async () => {
  const context = installContext(offlineContext({ cluster: preparedCluster(key), signal }));
  const [credentials, ...others] = await context.operatorCredentials();
  assert.equal(credentials?.metadata.name, "azure-credentials");
  assert.equal(
    Buffer.from(stringAt(credentials, "data", "azure_client_secret") ?? "", "base64").toString(),
    context.servicePrincipal().clientSecret.reveal(),
  );
  assert.deepEqual(others, []);
});

test("the cluster is always the one last written", async () => {
  const context = installContext(offlineContext({ cluster: preparedCluster(key), signal }));
  await context.update((cluster) => ({ ...cluster, location: "westus" }));
  assert.equal(context.cluster.location, "westus");
  assert.equal(context.domain, "demo.eastus.example.org");
});

test("the graph is in the cluster's own storage account", async () => {
  const container: Partial<BlobContainer> = {};
  const storageAccounts = {
    getProperties: async (_group: string, account: string) => ({
      primaryEndpoints: { blob: `https://${account}.blob.example/` },
    }),
    listAccountSAS: async () => ({ accountSasToken: "sig=x" }),
  };
  const azure = {
    storage: { storageAccounts },
    call: () => ({}),
    blobContainer(url: string) {
      assert.equal(url, "https://clusterabcdefghij.blob.example/aro");
      return container;
    },
    // The test calls only this Azure client.
  } as unknown as AzureClients;
  const context = installContext(
    offlineContext({ cluster: preparedCluster(key), signal, change: { azure } }),
  );
  assert.equal(await context.graphContainer(), container);
});
