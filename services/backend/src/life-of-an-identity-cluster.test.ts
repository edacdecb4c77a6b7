import assert from "node:assert/strict";
import { createPublicKey, randomUUID, verify } from "node:crypto";
import { get } from "node:https";
import { test } from "node:test";
import { isNotFound } from "@keelson/azure";
import { type Secret, silentLogger, stringAt, systemClock } from "@keelson/base";
import {
  createIdentities,
  identityGroup,
  newCluster,
  openStore,
  operationEnd,
  putCluster,
  putRoleSets,
  putSubscription,
  readCluster,
  startWorld,
  withIdentities,
} from "@keelson/cluster/testing";
import { connectKube, type KubeClient, type KubeObject, resources } from "@keelson/kube";
import type { OpenShiftCluster, ServiceDatabase } from "@keelson/model";
import { startBackend } from "./backend.ts";

const signal = AbortSignal.timeout(900_000);
const contributor = "b24988ac-6180-42a0-ab88-20f7382dd24c";

test("a cluster with managed identities is created, given other identities, and deleted", {
  timeout: 900_000,
}, async (t) => {
  await using world = await startWorld();
  await using database = await openStore();
  await putSubscription(database, world.subscriptionId);
  await putRoleSets(database, signal);
  await using _backend = await startBackend({
    database,
    environment: world.environment,
    clock: systemClock,
    logger: silentLogger,
  });
  const ids = await createIdentities(
    world,
    ["cluster", "cluster2", "machine-api", "image-registry", "image-registry2", "aro-operator", "ingress"],
    signal,
  );
  const operators = {
    "machine-api": ids["machine-api"],
    "image-registry": ids["image-registry"],
    "aro-operator": ids["aro-operator"],
  };
  const shape = newCluster({
    name: "demo",
    subscriptionId: world.subscriptionId,
    masterSubnetId: await world.subnet("master", "10.0.0.0/24"),
    workerSubnetId: await world.subnet("worker", "10.0.1.0/24"),
  });
  const done = await succeed(database, withIdentities(shape, world.identityUrl, ids.cluster, operators));
  const issuer = done.properties.clusterProfile.oidcIssuer ?? "";
  await using kube = connect(done.properties.userAdminKubeconfig);
  const fetchJson = (path: string) => readJson(`${issuer}/${path}`, world.environment.azure.caPem ?? "");
  const credentialsOf = async (name: string) => {
    const { federatedIdentityCredentials } = world.azure.identities;
    const all = federatedIdentityCredentials.list(identityGroup, name, world.azure.call(signal));
    return (await Array.fromAsync(all)).map(({ issuer: of, subject, audiences }) => [of, subject, audiences]);
  };
  const identityOf = (name: string) =>
    world.azure.identities.userAssignedIdentities.get(identityGroup, name, world.azure.call(signal));

  await t.test("the document has the IDs of its identities, and hides their credentials", async () => {
    const own = await identityOf("cluster");
    assert.deepEqual(done.managedServiceIdentity?.userAssignedIdentities, {
      [ids.cluster]: { clientId: own.clientId, principalId: own.principalId },
    });
    const registry = await identityOf("image-registry");
    assert.deepEqual(
      done.properties.platformWorkloadIdentityProfile?.platformWorkloadIdentities?.["image-registry"],
      { resourceId: ids["image-registry"], clientId: registry.clientId, objectId: registry.principalId },
    );
    assert.match(JSON.stringify(done), /"clusterIdentityCredentials":"\[REDACTED\]"/);
  });

  await t.test(
    "the machines were made by machine-api as its identity, with a token of the cluster",
    async () => {
      const nodes = await kube.list(resources.nodes, {}, signal);
      assert.equal(nodes.items.length, 6);
      const secrets = await Promise.all(
        [
          ["openshift-machine-api", "azure-cloud-credentials"],
          ["openshift-azure-operator", "azure-cloud-credentials"],
        ].map(([namespace = "", name = ""]) => kube.find(resources.secrets, { namespace, name }, signal)),
      );
      assert.deepEqual(
        secrets.map((secret) => textOf(secret, "azure_client_id")),
        [(await identityOf("machine-api")).clientId, (await identityOf("aro-operator")).clientId],
      );
      assert.equal(
        textOf(secrets[0], "azure_federated_token_file"),
        "/var/run/secrets/openshift/serviceaccount/token",
      );
      assert.equal(textOf(secrets[0], "azure_client_secret"), undefined);
      const root = { namespace: "kube-system", name: "azure-credentials" };
      assert.equal(await kube.find(resources.secrets, root, signal), undefined);
    },
  );

  await t.test("there is no storage class that needs keys of storage accounts", async () => {
    const driver = await kube.find(resources.clusterCsiDrivers, { name: "file.csi.azure.com" }, signal);
    assert.deepEqual((driver as { readonly spec?: unknown } | undefined)?.spec, {
      logLevel: "Normal",
      managementState: "Managed",
      operatorLogLevel: "Normal",
      storageClassState: "Removed",
    });
  });

  await t.test("the issuer publishes the key that signs the cluster's tokens", async () => {
    const configuration = await fetchJson(".well-known/openid-configuration");
    assert.equal(configuration.issuer, issuer);
    assert.equal(configuration.jwks_uri, `${issuer}/openid/v1/jwks`);
    const { keys } = await fetchJson("openid/v1/jwks");
    const account = { namespace: "openshift-image-registry", serviceAccount: "registry" };
    const cluster = world.apiServer.findCluster(done.properties.infraId ?? "");
    const { token } = (await cluster?.issueToken({ ...account, audiences: ["openshift"] })) ?? {};
    const [header = "", payload = "", signature = ""] = (token ?? "").split(".");
    const { kid } = JSON.parse(Buffer.from(header, "base64url").toString());
    const jwk = keys.find((key: { readonly kid: string }) => key.kid === kid);
    const key = createPublicKey({ key: jwk, format: "jwk" });
    const signed = Buffer.from(`${header}.${payload}`);
    assert.ok(verify("sha256", signed, key, Buffer.from(signature, "base64url")));
    assert.equal(JSON.parse(Buffer.from(payload, "base64url").toString()).iss, issuer);
  });

  await t.test(
    "each service account of an operator may act as its identity, which has its role",
    async () => {
      const account = (name: string) => `system:serviceaccount:openshift-image-registry:${name}`;
      assert.deepEqual(await credentialsOf("image-registry"), [
        [issuer, account("cluster-image-registry-operator"), ["openshift"]],
        [issuer, account("registry"), ["openshift"]],
      ]);
      const { principalId = "" } = await identityOf("image-registry");
      assert.deepEqual(await rolesOf(principalId), ["8b32b316-c2f5-4ddf-b05b-83dacd2d08b5"]);
    },
  );

  async function rolesOf(principalId: string): Promise<readonly string[]> {
    const filter = { ...world.azure.call(signal), filter: `assignedTo('${principalId}')` };
    const all = world.azure.authorization.roleAssignments.listForResourceGroup("aro-demo", filter);
    const found = await Array.fromAsync(all);
    return found.map(({ roleDefinitionId }) => roleDefinitionId?.split("/").at(-1) ?? "");
  }

  await t.test("identities can be replaced and added, and the token signing key stays", async () => {
    const { principalId = "" } = await identityOf("machine-api");
    const role = (id: string) =>
      `/subscriptions/${world.subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/${id}`;
    await world.azure.authorization.roleAssignments.create(
      done.properties.clusterProfile.resourceGroupId,
      randomUUID(),
      { principalId, roleDefinitionId: role(contributor), principalType: "ServicePrincipal" },
      world.azure.call(signal),
    );
    const exchanged = { ...operators, "image-registry": ids["image-registry2"], ingress: ids.ingress };
    const wanted = withIdentities(done, world.identityUrl, ids.cluster2, exchanged);
    const updated = await succeed(database, {
      ...wanted,
      properties: {
        ...wanted.properties,
        provisioningState: "Updating",
        platformWorkloadIdentityProfile: {
          ...wanted.properties.platformWorkloadIdentityProfile,
          upgradeableTo: "4.20.1",
        },
        retiredIdentities: [
          done.properties.platformWorkloadIdentityProfile?.platformWorkloadIdentities?.["image-registry"],
        ].filter((each) => each !== undefined),
      },
    });
    const own = await identityOf("cluster2");
    assert.deepEqual(updated.managedServiceIdentity?.userAssignedIdentities, {
      [ids.cluster2]: { clientId: own.clientId, principalId: own.principalId },
    });
    assert.match(updated.managedServiceIdentity?.tenantId ?? "", /^[0-9a-f-]{36}$/);
    const { clusterProfile } = updated.properties;
    const key = clusterProfile.boundServiceAccountSigningKey?.reveal();
    assert.equal(key, done.properties.clusterProfile.boundServiceAccountSigningKey?.reveal());
    assert.deepEqual(await rolesOf(principalId), ["0358943c-7e01-48ba-8889-02cc51d78637"]);
    assert.equal((await credentialsOf("image-registry2")).length, 2);
    assert.equal(updated.properties.retiredIdentities, undefined);
    assert.deepEqual(await credentialsOf("image-registry"), [], "the trust has ended");
    assert.deepEqual(await rolesOf((await identityOf("image-registry")).principalId ?? ""), []);
    assert.equal((await credentialsOf("ingress")).length, 1);
    const secretOf = (namespace: string, name: string) =>
      kube.find(resources.secrets, { namespace, name }, signal);
    const registry = await secretOf("openshift-image-registry", "installer-cloud-credentials");
    assert.equal(textOf(registry, "azure_client_id"), (await identityOf("image-registry2")).clientId);
    const ingress = await secretOf("openshift-ingress-operator", "cloud-credentials");
    assert.equal(textOf(ingress, "azure_client_id"), (await identityOf("ingress")).clientId);
    const operator = { namespace: "openshift-azure-operator", name: "aro-operator-master" };
    const { spec } = await kube.get(resources.deployments, operator, signal);
    const started = stringAt(
      spec,
      "template",
      "metadata",
      "annotations",
      "aro.openshift.io/credentials-version",
    );
    const credentials = await secretOf("openshift-azure-operator", "azure-cloud-credentials");
    assert.equal(
      started,
      credentials?.metadata.resourceVersion,
      "the operator runs with its present identity",
    );
    const mode = await kube.find(resources.cloudCredentials, { name: "cluster" }, signal);
    assert.equal(mode?.metadata.annotations?.["cloudcredential.openshift.io/upgradeable-to"], "4.20.1");
  });

  await t.test("maintenance keeps all of it", async () => {
    const current = await readCluster(database, done.id);
    assert.ok(current);
    const properties = {
      ...current.properties,
      provisioningState: "AdminUpdating",
      lastProvisioningState: "Succeeded",
      maintenanceTask: "SyncClusterObject",
    } as const;
    const maintained = await succeed(database, { ...current, properties });
    assert.deepEqual(maintained.managedServiceIdentity, current.managedServiceIdentity);
    assert.deepEqual(
      maintained.properties.platformWorkloadIdentityProfile,
      current.properties.platformWorkloadIdentityProfile,
    );
  });

  await t.test(
    "deletion removes the rights of the identities and the issuer's files, and keeps the identities",
    async () => {
      const current = await readCluster(database, done.id);
      assert.ok(current);
      const properties = { ...current.properties, provisioningState: "Deleting" } as const;
      const deletion = await putCluster(database, { ...current, properties });
      const { asyncOperation } = await operationEnd(database, deletion);
      assert.deepEqual([asyncOperation.error, asyncOperation.status], [undefined, "Succeeded"]);
      for (const name of ["machine-api", "image-registry2", "ingress", "aro-operator"]) {
        assert.deepEqual(await credentialsOf(name), [], name);
      }
      assert.equal(await fetchJson(".well-known/openid-configuration"), undefined);
      assert.equal(await fetchJson("openid/v1/jwks"), undefined);
      await assert.rejects(
        world.azure.resources.resourceGroups.get("aro-demo", world.azure.call(signal)),
        isNotFound,
      );
    },
  );
});

async function succeed(database: ServiceDatabase, cluster: OpenShiftCluster): Promise<OpenShiftCluster> {
  const queued = await putCluster(database, cluster);
  const { asyncOperation, openShiftCluster } = await operationEnd(database, queued);
  assert.deepEqual([asyncOperation.error, asyncOperation.status], [undefined, "Succeeded"]);
  assert.ok(openShiftCluster);
  return openShiftCluster;
}

function connect(kubeconfig: Secret | undefined): KubeClient {
  assert.ok(kubeconfig);
  return connectKube({ kubeconfig: kubeconfig.reveal(), userAgent: "test", fieldManager: "test" });
}

/** Returns a string from a Secret. */
function textOf(secret: KubeObject | undefined, name: string): string | undefined {
  const { data = {} } = { ...secret } as { readonly data?: Readonly<Record<string, string>> };
  const value = data[name];
  return value === undefined ? undefined : Buffer.from(value, "base64").toString();
}

/** Fetches a public JSON document. Returns undefined if it does not exist. */
function readJson(url: string, ca: string) {
  const { promise, resolve, reject } = Promise.withResolvers<ReturnType<typeof JSON.parse>>();
  get(url, { ca, agent: false, signal }, (incoming) => {
    let text = "";
    incoming.setEncoding("utf8").on("data", (chunk) => {
      text += chunk;
    });
    incoming.on("end", () => resolve(incoming.statusCode === 200 ? JSON.parse(text) : undefined));
  }).on("error", reject);
  return promise;
}
