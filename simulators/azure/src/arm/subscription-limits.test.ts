import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { azureErrorCode } from "@keelson/azure";
import { readerRole } from "../authorization/built-in-roles.ts";
import {
  adminToken,
  location,
  startTestAzure,
  subscriptionId,
  type TestAzure,
} from "../testing/test-azure.ts";

const signal = AbortSignal.timeout(900_000);
const subscription = `/subscriptions/${subscriptionId}`;
let azure: TestAzure;
before(async () => {
  azure = await startTestAzure();
  await azure.clients.resources.resourceGroups.createOrUpdate("g", { location }, azure.clients.call(signal));
});
after(() => azure[Symbol.asyncDispose]());

const hasCode = (code: string) => (error: unknown) => azureErrorCode(error) === code;

async function skuNamed(name: string) {
  const filter = `location eq '${location}'`;
  const { resourceSkus } = azure.clients.compute;
  for await (const sku of resourceSkus.list({ filter, abortSignal: signal }))
    if (sku.name === name) return sku;
  return undefined;
}

async function usageOf(name: string) {
  const { compute, network } = azure.clients;
  for await (const usage of compute.usage.list(location, { abortSignal: signal })) {
    if (usage.name.value === name) return { current: usage.currentValue, limit: usage.limit };
  }
  for await (const usage of network.usages.list(location, { abortSignal: signal })) {
    if (usage.name.value === name) return { current: usage.currentValue, limit: usage.limit };
  }
  return undefined;
}

test("sizes have zones and capabilities, and the settings restrict or remove them", async () => {
  const usual = await skuNamed("Standard_D8s_v5");
  assert.deepEqual(usual?.locationInfo?.[0]?.zones, ["1", "2", "3"]);
  assert.deepEqual(usual?.restrictions, []);
  const capabilities = new Map(usual?.capabilities?.map(({ name, value }) => [name, value]));
  assert.equal(capabilities.get("vCPUs"), "8");
  assert.equal(capabilities.get("EncryptionAtHostSupported"), "True");
  azure.change({ skus: { [location]: { Standard_D8s_v5: "restricted" } } });
  assert.deepEqual((await skuNamed("Standard_D8s_v5"))?.restrictions?.[0]?.restrictionInfo?.locations, [
    location,
  ]);
  azure.change({ skus: { [location]: { Standard_D8s_v5: "absent" } } });
  assert.equal(await skuNamed("Standard_D8s_v5"), undefined);
  azure.change({ skus: null });
  assert.equal((await skuNamed("Standard_D8s_v5"))?.restrictions?.length, 0);
});

test("usages count existing resources against configurable limits", async () => {
  const before = await usageOf("PublicIPAddresses");
  assert.equal(before?.current, 0);
  const { publicIPAddresses } = azure.clients.network;
  await publicIPAddresses.createOrUpdate(
    "g",
    "ip",
    { location, sku: { name: "Standard" }, publicIPAllocationMethod: "Static" },
    azure.clients.call(signal),
  );
  azure.change({ quotas: { [location]: { PublicIPAddresses: 7 } } });
  assert.deepEqual(await usageOf("PublicIPAddresses"), { current: 1, limit: 7 });
  assert.equal((await usageOf("standardDSv5Family"))?.current, 0);
  azure.change({ quotas: null });
  assert.equal((await usageOf("PublicIPAddresses"))?.limit, before.limit);
});

test("providers and features are registered and unregistered", async () => {
  const { clients } = azure;
  const state = async (namespace: string) =>
    (await clients.resources.providers.get(namespace, clients.call(signal))).registrationState;
  assert.equal(await state("Microsoft.Storage"), "Registered");
  await clients.resources.providers.unregister("Microsoft.Storage", clients.call(signal));
  assert.equal(await state("microsoft.storage"), "Unregistered");
  await clients.resources.providers.register("Microsoft.Storage", clients.call(signal));
  assert.equal(await state("Microsoft.Storage"), "Registered");

  const { features } = clients.features;
  const options = { abortSignal: signal };
  const feature = await features.get("Microsoft.Compute", "EncryptionAtHost", options);
  assert.equal(feature.properties?.state, "NotRegistered");
  await features.register("Microsoft.Compute", "EncryptionAtHost", options);
  const all = await Array.fromAsync(features.listAll(options));
  const registered = all.filter(({ properties }) => properties?.state === "Registered");
  assert.deepEqual(
    registered.map(({ name }) => name),
    ["Microsoft.Compute/EncryptionAtHost"],
  );
  await assert.rejects(features.get("Microsoft.Compute", "None", options), hasCode("FeatureNotFound"));
});

test("a principal has the rights of its roles and can read them", async () => {
  const reader = await azure.register({ role: readerRole, scope: `${subscription}/resourceGroups/g` });
  const { authorization, network, call } = azure.connect({ credential: reader });
  const rights = await Array.fromAsync(authorization.permissions.listForResourceGroup("g"));
  assert.deepEqual(
    rights.map(({ actions }) => actions),
    [["*/read"]],
  );
  assert.deepEqual(await Array.fromAsync(network.natGateways.list("g", call(signal))), []);
  const body = { location, sku: { name: "Standard" } };
  const gateway = network.natGateways.createOrUpdate("g", "n", body, call(signal));
  await assert.rejects(async () => gateway, hasCode("AuthorizationFailed"));
  const all = Array.fromAsync(network.natGateways.listAll(call(signal)));
  await assert.rejects(all, hasCode("AuthorizationFailed"));
});

describe("the settings endpoint", () => {
  const call = (method: string, body?: unknown) =>
    azure.raw("/sim/settings", {
      method,
      headers: { authorization: `Bearer ${adminToken.reveal()}`, "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });

  test("accepts and returns them, for administrators only", async () => {
    const { status, json } = await call("PATCH", { quotas: { westeurope: { cores: 3 } } });
    assert.equal(status, 200);
    assert.partialDeepStrictEqual(json, {
      quotas: { westeurope: { cores: 3 } },
      rights: {},
    });
    assert.deepEqual((await call("GET")).json, json);
    assert.equal((await azure.raw("/sim/settings")).status, 401);
    await call("PATCH", { quotas: null });
  });

  for (const wrong of [
    { quotas: { eastus: { cores: "many" } } },
    { skus: { eastus: { Standard_D8s_v5: "gone" } } },
    { rights: { x: "none" } },
    { defaultRights: "none" },
    { unknownApplications: "ignored" },
    { graphRoles: { x: "Application.ReadWrite.All" } },
    { other: {} },
    [],
  ]) {
    test(`rejects ${JSON.stringify(wrong)}`, async () => {
      assert.equal((await call("PATCH", wrong)).status, 400);
    });
  }
});

test("a disk encryption set requires a key, and a NAT gateway of a subnet cannot be deleted", async () => {
  const { compute, network, call } = azure.clients;
  const set = { location, identity: { type: "SystemAssigned" } };
  await assert.rejects(
    async () => compute.diskEncryptionSets.createOrUpdate("g", "des", set, call(signal)),
    hasCode("InvalidParameter"),
  );
  const activeKey = { keyUrl: "https://v.example/keys/k/1" };
  const made = await compute.diskEncryptionSets.createOrUpdate(
    "g",
    "des",
    { ...set, activeKey },
    call(signal),
  );
  assert.ok(made.identity?.principalId);
  const gateway = await network.natGateways.createOrUpdate(
    "g",
    "used",
    { location, sku: { name: "Standard" } },
    call(signal),
  );
  await network.virtualNetworks.createOrUpdate(
    "g",
    "vnet",
    {
      location,
      addressSpace: { addressPrefixes: ["10.0.0.0/16"] },
      subnets: [{ name: "s", addressPrefix: "10.0.0.0/24", natGateway: { id: gateway.id ?? "" } }],
    },
    call(signal),
  );
  await assert.rejects(
    async () => network.natGateways.delete("g", "used", call(signal)),
    hasCode("InUseNatGatewayCannotBeDeleted"),
  );
  assert.match(
    (await network.natGateways.get("g", "used", call(signal))).subnets?.[0]?.id ?? "",
    /vnet\/subnets\/s$/,
  );
});
