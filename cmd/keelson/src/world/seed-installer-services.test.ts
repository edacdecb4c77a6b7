import assert from "node:assert/strict";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { silentLogger, stringAt } from "@keelson/base";
import { serviceNetwork } from "@keelson/cluster";
import { type RawResponse, startTestAzure, subscriptionId, tenantId } from "@keelson/sim-azure/testing";
import { embedded } from "../state/embedded-defaults.ts";
import { type Identity, loadOrCreateIdentity } from "../state/identity.ts";
import { loadOrCreateInstallerSecrets } from "./installer-secrets.ts";
import { loadOrCreateAuthority } from "./local-authority.ts";
import { seedInstallerServices } from "./seed-installer-services.ts";
import { seedServiceNetwork } from "./seed-service-network.ts";

const { location, serviceResourceGroup: resourceGroup } = embedded;
const signal = AbortSignal.timeout(900_000);
const graphKey = Buffer.alloc(64, 7).toString("base64");

test("the identity of the instance metadata service reads the secrets of ARO's installer", async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), "keelson-state-"));
  const local = await loadOrCreateAuthority(directory.path);
  const secrets = await loadOrCreateInstallerSecrets(directory.path, local, graphKey);
  assert.deepEqual(await loadOrCreateInstallerSecrets(directory.path, local, graphKey), secrets);
  const principal = await registered();
  await using azure = principal.azure;
  await azure.clients.resources.resourceGroups.createOrUpdate(resourceGroup, { location });
  const network = serviceNetwork({ subscriptionId, resourceGroup, hasHive: true });
  await seedServiceNetwork(azure.clients, network, location, signal);
  const connection = {
    url: azure.url,
    caPem: azure.caPem,
    identity: principal.identity,
    logger: silentLogger,
  };
  const metadata = { metadata: "true" };
  const fieldOf = (response: RawResponse, name: string) => {
    assert.equal(response.status, 200, response.text);
    return stringAt(response.json, name) ?? "";
  };
  // The second run verifies that the function is idempotent.
  for (const _ of [1, 2]) await seedInstallerServices(connection, secrets, signal);

  const instance = await azure.raw("/metadata/instance/compute?api-version=2019-03-11", {
    headers: metadata,
  });
  const group = `/subscriptions/${subscriptionId}/resourceGroups/${fieldOf(instance, "resourceGroupName")}`;
  const identityId = `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/aro-aks-cluster-001-agentpool`;
  const query = new URLSearchParams({
    "api-version": "2018-02-01",
    resource: "https://vault.azure.net",
    mi_res_id: identityId,
  });
  const token = await azure.raw(`/metadata/identity/oauth2/token?${query}`, { headers: metadata });
  const headers = { authorization: `Bearer ${fieldOf(token, "access_token")}` };
  const read = (path: string) =>
    azure.raw(`/vaults/keelson-svc/secrets/${path}?api-version=7.0`, { headers });
  for (const name of ["rp-firstparty", "cluster-mdsd"]) {
    const pem = fieldOf(await read(name), "value");
    assert.ok(new X509Certificate(pem).checkPrivateKey(createPrivateKey(pem)), name);
    assert.equal(createPrivateKey(pem).asymmetricKeyType, "rsa");
  }
  assert.equal(fieldOf(await read("encryption-key-v2"), "value"), graphKey);
  assert.equal(Buffer.from(fieldOf(await read("encryption-key"), "value"), "base64").length, 32);
  const versions = await read("encryption-key-v2/versions");
  assert.equal(Array.isArray(Object(versions.json).value) && Object(versions.json).value.length, 1);
});

/** Starts a simulated Azure that contains the service's application of a new state directory. */
async function registered() {
  const azure = await startTestAzure();
  const application = await azure.register(
    { role: "8e3af657-a8ff-443c-a75c-2fe8c4bcb635" },
    { role: "00482a5a-887f-4fb3-b363-3b7fe8e74483" },
  );
  await using directory = await mkdtempDisposable(join(tmpdir(), "keelson-state-"));
  const firstParty = { clientId: application.clientId, clientSecret: application.clientSecret.reveal() };
  const identity: Identity = {
    ...loadOrCreateIdentity(directory.path),
    tenantId,
    subscriptionId,
    firstParty,
  };
  return { azure, identity };
}
