import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { apiVersions } from "@keelson/model";
import { type FrontendWithCallers, startFrontendWithCallers } from "../testing/callers.ts";
import { type ClusterAddress, clusterBody } from "../testing/cluster-request.ts";
import { assertError, newAddress } from "../testing/clusters.ts";
import { storedCluster, succeed } from "../testing/fake-worker.ts";

const operators = ["ingress", "machine-api"];
const roles = (names: readonly string[]) =>
  names.map((operatorName) => ({
    operatorName,
    roleDefinitionName: operatorName,
    roleDefinitionId: `/roles/${operatorName}`,
    serviceAccounts: [`system:serviceaccount:a:${operatorName}`],
    secretLocation: { namespace: "a", name: operatorName },
  }));
const tenantId = randomUUID();
const identityUrl = "https://identity.example/credentials?tid=1";
const headers = { "x-ms-identity-url": identityUrl, "x-ms-home-tenant-id": tenantId };
const withIdentities = ["2024-08-12-preview", "2025-07-25"];

let frontend: FrontendWithCallers;
before(async () => {
  frontend = await startFrontendWithCallers();
});
after(() => frontend[Symbol.asyncDispose]());

const identityId = ({ subscriptionId }: ClusterAddress, name: string) =>
  `/subscriptions/${subscriptionId}/resourceGroups/Ids/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`;

function identityBody(address: ClusterAddress, names: readonly string[] = operators) {
  const body = clusterBody(address);
  const { servicePrincipalProfile: _, ...properties } = body.properties;
  return {
    ...body,
    identity: { type: "UserAssigned", userAssignedIdentities: { [identityId(address, "Cluster")]: {} } },
    properties: {
      ...properties,
      platformWorkloadIdentityProfile: {
        platformWorkloadIdentities: Object.fromEntries(
          names.map((operator) => [operator, { resourceId: identityId(address, operator) }]),
        ),
      },
    },
  };
}

const urlIn = (address: ClusterAddress, version: string) => `${address.id}?api-version=${version}`;

async function create(address: ClusterAddress, version = "2025-07-25"): Promise<void> {
  const created = await frontend.client.put(urlIn(address, version), identityBody(address), { headers });
  assert.equal(created.status, 201, created.text);
  await succeed(frontend.database, address);
}

const identityOf = async (address: ClusterAddress) =>
  (await storedCluster(frontend.database, address)).document.openShiftCluster.managedServiceIdentity;

test("the identities of a new cluster must be those of the role set, as administrators last put it", async () => {
  const address = await newAddress(frontend);
  const put = (names: readonly string[]) =>
    frontend.client.put(address.url, identityBody(address, names), { headers });
  const refused = await put(["ingress"]);
  assertError(refused, 400, "InvalidParameter");
  assert.match(`${refused.error.message}`, /^No PlatformWorkloadIdentityRoleSet found .* '4\.19'/);
  await frontend.admin.put("/admin/platformworkloadidentityrolesets", {
    properties: { openShiftVersion: "4.19", platformWorkloadIdentityRoles: roles(operators) },
  });
  const limit = Date.now() + 60_000;
  let mismatch = await put(["ingress"]);
  while (mismatch.error.code === "InvalidParameter") {
    assert.ok(Date.now() < limit, mismatch.text);
    await delay(10);
    mismatch = await put(["ingress"]);
  }
  assertError(
    mismatch,
    400,
    "PlatformWorkloadIdentityMismatch",
    "There's a mismatch between the required and expected set of platform workload identities for the requested OpenShift minor version '4.19'. The required platform workload identities are '[ingress machine-api]'",
  );
});

for (const version of withIdentities) {
  test(`${version}: a cluster is created with the identity headers of Azure Resource Manager`, async () => {
    const address = await newAddress(frontend);
    const created = await frontend.client.put(urlIn(address, version), identityBody(address), { headers });
    assert.equal(created.status, 201, created.text);
    assert.ok(created.headers["azure-asyncoperation"]);
    assert.doesNotMatch(created.text, /identity\.example|identityURL|SigningKey/);
    assert.match(created.text, new RegExp(`"tenantId": "${tenantId}"`));
    const { document } = await storedCluster(frontend.database, address);
    assert.equal(document.clientIdKey, identityId(address, "cluster").toLowerCase());
    const { managedServiceIdentity: identity, properties } = document.openShiftCluster;
    assert.deepEqual([identity?.identityURL, identity?.tenantId], [identityUrl, tenantId]);
    assert.equal(properties.provisioningState, "Creating");
  });
}

describe("a header that", () => {
  const url = "x-ms-identity-url";
  const tenant = "x-ms-home-tenant-id";
  const sentBy = (header: string) =>
    `The header '${header}' is missing: a cluster with managed identities is created through Azure Resource Manager, which sends it.`;
  for (const [title, sent, message] of [
    ["is missing (URL)", { [tenant]: tenantId }, sentBy(url)],
    ["is missing (tenant)", { [url]: identityUrl }, sentBy(tenant)],
    ["is empty", { ...headers, [url]: "" }, sentBy(url)],
    [
      "is no https URL",
      { ...headers, [url]: "http://identity.example" },
      `The header '${url}' is invalid: must be an https URL.`,
    ],
    [
      "leads elsewhere",
      { ...headers, [url]: "https://identity.example.org/credentials" },
      `The header '${url}' is invalid: must be a URL of identity.example or a host below it.`,
    ],
    [
      "is no tenant",
      { ...headers, [tenant]: "tenant" },
      `The header '${tenant}' is invalid: must be a UUID.`,
    ],
    [
      "is no principal",
      { ...headers, "x-ms-identity-principal-id": "me" },
      "The header 'x-ms-identity-principal-id' is invalid: must be a UUID.",
    ],
  ] as const) {
    test(`${title} is reported to the creator of a cluster`, async () => {
      const address = await newAddress(frontend);
      const refused = await frontend.client.put(address.url, identityBody(address), { headers: sent });
      assertError(refused, 400, "InvalidParameter", message, "identity");
    });
  }
});

test("a PATCH keeps the stored identity, and applies new headers", async () => {
  const address = await newAddress(frontend);
  await create(address);
  assert.equal((await frontend.client.patch(address.url, {})).status, 200);
  assert.equal((await identityOf(address))?.identityURL, identityUrl);
  await succeed(frontend.database, address);
  const principalId = randomUUID();
  const moved = {
    "x-ms-identity-url": `${identityUrl}&new=1`,
    "x-ms-home-tenant-id": randomUUID(),
    "x-ms-identity-principal-id": principalId,
  };
  assert.equal((await frontend.client.patch(address.url, {}, { headers: moved })).status, 200);
  const identity = await identityOf(address);
  assert.deepEqual([identity?.identityURL, identity?.tenantId, identity?.principalId], Object.values(moved));
});

test("the cluster's identity is exchanged as a whole, a platform identity forgets who it was", async () => {
  const address = await newAddress(frontend);
  await create(address);
  const other = identityId(address, "Other");
  const profile = {
    platformWorkloadIdentities: { ingress: { resourceId: identityId(address, "ingress2") } },
  };
  const patched = await frontend.client.patch(address.url, {
    identity: { userAssignedIdentities: { [other]: {} } },
    properties: { platformWorkloadIdentityProfile: profile },
  });
  assert.equal(patched.status, 200, patched.text);
  const { document } = await storedCluster(frontend.database, address);
  assert.equal(document.clientIdKey, other.toLowerCase());
  const { managedServiceIdentity, properties } = document.openShiftCluster;
  assert.deepEqual(managedServiceIdentity?.userAssignedIdentities, { [other]: {} });
  assert.deepEqual(properties.platformWorkloadIdentityProfile?.platformWorkloadIdentities, {
    ingress: { resourceId: identityId(address, "ingress2") },
    "machine-api": { resourceId: identityId(address, "machine-api") },
  });
});

test("no two clusters share an identity, neither from the start nor by request", async () => {
  const address = await newAddress(frontend);
  await create(address);
  const neighbour = { ...address, name: "second", id: address.id.replace(/demo$/, "second") };
  const put = (body: object) => frontend.client.put(urlIn(neighbour, "2025-07-25"), body, { headers });
  const taken = (id: string) => `The provided user assigned identity '${id}' is already in use by a cluster.`;
  const cluster = taken(identityId(address, "Cluster"));
  assertError(await put(identityBody(neighbour)), 400, "DuplicateClientID", cluster);
  const own = { type: "UserAssigned", userAssignedIdentities: { [identityId(address, "Second")]: {} } };
  assert.equal((await put({ ...identityBody(neighbour), identity: own })).status, 201);
  await succeed(frontend.database, neighbour);
  const shouted = identityId(address, "CLUSTER");
  const identity = { userAssignedIdentities: { [shouted]: {} } };
  const stolen = await frontend.client.patch(urlIn(neighbour, "2025-07-25"), { identity });
  assertError(stolen, 400, "DuplicateClientID", taken(shouted));
});

describe("a cluster with managed identities, in the version", () => {
  let address: ClusterAddress;
  before(async () => {
    address = await newAddress(frontend);
    await create(address);
  });
  for (const { name } of apiVersions) {
    const knows = withIdentities.includes(name);
    test(`${name} is shown, and ${knows ? "changed" : "unchanged"}`, async () => {
      const url = urlIn(address, name);
      const shown = await frontend.client.get(url);
      assert.equal(shown.status, 200, shown.text);
      assert.equal(shown.json.identity !== undefined, knows);
      const patched = await frontend.client.patch(url, { tags: { changed: name } });
      if (knows) {
        assert.equal(patched.status, 200, patched.text);
        await succeed(frontend.database, address);
        return;
      }
      const message = "ServicePrincipalProfile cannot be nil in this API version.";
      const target = "properties.servicePrincipalProfile.servicePrincipalProfile";
      assertError(patched, 400, "InvalidParameter", message, target);
    });
  }
});

test("an administrator's PATCH leaves identities as they are", async () => {
  const address = await newAddress(frontend);
  await create(address);
  const before = await storedCluster(frontend.database, address);
  const patched = await frontend.admin.patch(urlIn(address, "admin"), {});
  assert.equal(patched.status, 200, patched.text);
  const { openShiftCluster } = (await storedCluster(frontend.database, address)).document;
  const { managedServiceIdentity, properties } = before.document.openShiftCluster;
  assert.ok(managedServiceIdentity && properties.platformWorkloadIdentityProfile);
  assert.deepEqual(openShiftCluster.managedServiceIdentity, managedServiceIdentity);
  assert.deepEqual(
    openShiftCluster.properties.platformWorkloadIdentityProfile,
    properties.platformWorkloadIdentityProfile,
  );
});
