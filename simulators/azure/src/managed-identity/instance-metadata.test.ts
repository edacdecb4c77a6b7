import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { decodeJwt } from "jose";
import { nonEmptyStringAt } from "../base/json.ts";
import { location, startTestAzure, subscriptionId, type TestAzure } from "../testing/test-azure.ts";

const signal = AbortSignal.timeout(900_000);
const resource = "https://management.azure.com/";
let azure: TestAzure;
const identities = new Map<
  string,
  { readonly id: string; readonly clientId: string; readonly oid: string }
>();

before(async () => {
  azure = await startTestAzure();
  const { resources, network, identities: api } = azure.clients;
  const call = azure.clients.call(signal);
  await resources.resourceGroups.createOrUpdate("g", { location }, call);
  for (const name of ["one", "two", "idle"]) {
    const made = await api.userAssignedIdentities.createOrUpdate("g", name, { location }, call);
    identities.set(name, {
      id: made.id ?? "",
      clientId: made.clientId ?? "",
      oid: made.principalId ?? "",
    });
  }
  const subnet = { name: "s", addressPrefix: "10.0.0.0/24" };
  const addressSpace = { addressPrefixes: ["10.0.0.0/16"] };
  const vnet = { location, addressSpace, subnets: [subnet] };
  const made = await network.virtualNetworks.createOrUpdate("g", "vnet", vnet, call);
  const ipConfigurations = [{ name: "ip", subnet: { id: made.subnets?.[0]?.id ?? "" } }];
  await network.networkInterfaces.createOrUpdate("g", "nic", { location, ipConfigurations }, call);
});
after(() => azure[Symbol.asyncDispose]());

const idOf = (name: string) => identities.get(name) ?? assert.fail(name);

async function runMachine(...names: readonly string[]): Promise<void> {
  const call = azure.clients.call(signal);
  const nic = await azure.clients.network.networkInterfaces.get("g", "nic", call);
  await azure.clients.compute.virtualMachines.createOrUpdate(
    "g",
    "vm",
    {
      location,
      hardwareProfile: { vmSize: "Standard_D8s_v5" },
      osProfile: { computerName: "vm", adminUsername: "core", adminPassword: "pa55word!" },
      storageProfile: { osDisk: { createOption: "FromImage" } },
      networkProfile: { networkInterfaces: [{ id: nic.id ?? "" }] },
      identity: {
        type: "UserAssigned",
        userAssignedIdentities: Object.fromEntries(names.map((each) => [idOf(each).id, {}])),
      },
    },
    call,
  );
}

/** The path has the trailing slash that clients send before the query. */
const ask = (query: Record<string, string>, headers: Record<string, string> = { metadata: "true" }) =>
  azure.raw(
    `/metadata/identity/oauth2/token/?${new URLSearchParams({ "api-version": "2018-02-01", ...query })}`,
    {
      headers,
    },
  );

test("the metadata service issues tokens only for identities of machines", async () => {
  assert.match((await ask({ resource })).text, /Identity not found/);
  await runMachine("one");
  const alone = await ask({ resource });
  assert.equal(alone.status, 200, alone.text);
  assert.equal(nonEmptyStringAt(alone.json, "client_id"), idOf("one").clientId);
  assert.match(nonEmptyStringAt(alone.json, "expires_on") ?? "", /^\d+$/);
  const token = nonEmptyStringAt(alone.json, "access_token") ?? "";
  assert.deepEqual([decodeJwt(token).oid, decodeJwt(token).aud], [idOf("one").oid, resource]);
  const headers = { authorization: `Bearer ${token}` };
  assert.equal((await azure.raw("/subscriptions?api-version=2022-12-01", { headers })).status, 200);

  await runMachine("one", "two");
  assert.match((await ask({ resource })).text, /Multiple user assigned identities/);
  for (const query of [
    { client_id: idOf("two").clientId.toUpperCase() },
    { object_id: idOf("two").oid },
    { msi_res_id: idOf("two").id },
  ]) {
    const response = await ask({ resource, ...query });
    assert.equal(nonEmptyStringAt(response.json, "client_id"), idOf("two").clientId);
  }
  assert.match((await ask({ resource, client_id: idOf("idle").clientId })).text, /Identity not found/);
});

for (const [name, query, headers] of [
  ["without the header", { resource }, {}],
  ["with another value", { resource }, { metadata: "yes" }],
  ["that was passed on", { resource }, { metadata: "true", "x-forwarded-for": "10.0.0.1" }],
  ["for no resource", {}, { metadata: "true" }],
] as const) {
  test(`a request ${name} is rejected`, async () => {
    const response = await ask(query, headers);
    assert.equal(response.status, 400);
    assert.equal(nonEmptyStringAt(response.json, "error"), "invalid_request");
  });
}

test("the machine itself is described to those who send the header and a version", async () => {
  await runMachine("one");
  const path = "/metadata/instance/compute";
  const call = async (query: string, headers: Record<string, string> = { metadata: "true" }) => {
    const { status, json } = await azure.raw(`${path}${query}`, { headers });
    return { status, json };
  };
  const { status, json } = await call("?api-version=2019-03-11");
  assert.equal(status, 200);
  assert.deepEqual(
    ["azEnvironment", "location", "name", "resourceGroupName", "subscriptionId", "vmSize"].map((name) =>
      nonEmptyStringAt(json, name),
    ),
    ["AzurePublicCloud", location, "vm", "g", subscriptionId, "Standard_D8s_v5"],
  );
  assert.equal((await call("?api-version=2019-03-11", {})).status, 400);
  assert.equal((await call("")).status, 400);
});
