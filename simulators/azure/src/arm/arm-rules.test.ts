import assert from "node:assert/strict";
import { test } from "node:test";
import { azureErrorCode, isPreconditionFailed } from "@keelson/azure";
import { at, nonEmptyStringAt, objectsAt } from "../base/json.ts";
import { location, startTestAzure, subscriptionId, type TestAzure } from "../testing/test-azure.ts";

const signal = AbortSignal.timeout(900_000);
const subscription = `/subscriptions/${subscriptionId}`;
const network = `${subscription}/resourceGroups/g/providers/Microsoft.Network`;
const vnetBody = { location, properties: { addressSpace: { addressPrefixes: ["10.0.0.0/16"] } } };
const v = "api-version=2024-05-01";

async function withGroup(pageSize = 1_000): Promise<TestAzure> {
  const azure = await startTestAzure({ pageSize });
  await azure.clients.resources.resourceGroups.createOrUpdate("g", { location }, azure.clients.call(signal));
  return azure;
}

const refusals = [
  {
    name: "no api-version",
    path: `${network}/virtualNetworks`,
    status: 400,
    code: "MissingApiVersionParameter",
  },
  {
    name: "an odd api-version",
    path: `${network}/virtualNetworks?api-version=latest`,
    status: 400,
    code: "InvalidApiVersionParameter",
  },
  {
    name: "an api-version older than the provider",
    path: `${network}/virtualNetworks?api-version=2014-11-01`,
    status: 400,
    code: "NoRegisteredProviderFound",
  },
  {
    name: "a future api-version",
    path: `${network}/virtualNetworks/a?api-version=2999-01-01-preview`,
    status: 400,
    code: "NoRegisteredProviderFound",
  },
  {
    name: "a different subscription",
    path: `/subscriptions/0?${v}`,
    status: 404,
    code: "SubscriptionNotFound",
  },
  {
    name: "an absent group",
    path: `${subscription}/resourceGroups/x?${v}`,
    status: 404,
    code: "ResourceGroupNotFound",
  },
  {
    name: "a resource in an absent group",
    path: `${network.replace("/g/", "/x/")}/virtualNetworks/a?${v}`,
    status: 404,
    code: "ResourceGroupNotFound",
  },
  {
    name: "an absent resource",
    path: `${network}/virtualNetworks/a?${v}`,
    status: 404,
    code: "ResourceNotFound",
  },
  {
    name: "an absent child's parent",
    path: `${network}/virtualNetworks/a/subnets/b?${v}`,
    status: 404,
    code: "ResourceNotFound",
  },
  { name: "an unknown type", path: `${network}/teapots/a?${v}`, status: 404, code: "InvalidResourceType" },
  {
    name: "an unknown provider",
    path: `${network.replace("Network", "Teapots")}/a/b?${v}`,
    status: 404,
    code: "InvalidResourceNamespace",
  },
  {
    name: "an unknown operation",
    path: `${subscription}/operationresults/x?${v}`,
    status: 404,
    code: "OperationNotFound",
  },
];

test("missing resources are rejected with ARM's codes", async (t) => {
  await using azure = await withGroup();
  for (const { name, path, status, code } of refusals) {
    await t.test(name, async () => {
      const response = await azure.arm("GET", path);
      assert.equal(response.status, status);
      assert.equal(nonEmptyStringAt(response.json, "error", "code"), code);
    });
  }
  const absent = await azure.arm("GET", `${network}/virtualNetworks/a?${v}`);
  assert.match(
    nonEmptyStringAt(absent.json, "error", "message") ?? "",
    /^The Resource 'Microsoft\.Network\/virtualNetworks\/a' under resource group 'g' was not found\./,
  );
});

test("IDs are found in any case, with double slashes and encoded query names, and returned as they were created", async () => {
  await using azure = await withGroup();
  const made = await azure.arm("PUT", `${network}/virtualNetworks/MyNet?${v}`, vnetBody);
  assert.equal(made.status, 201);
  const id = `${network}/virtualNetworks/MyNet`;
  const spellings = [
    `${id.toUpperCase().replace("SUBSCRIPTIONS", "subscriptions")}?${v}`,
    `//${id.slice(1)}/?${v}`,
    `${id.replace("Microsoft.Network/", "Microsoft.Network//")}?api%2Dversion=2024-05-01&disambiguation_dummy=`,
  ];
  for (const path of spellings)
    assert.equal(nonEmptyStringAt((await azure.arm("GET", path)).json, "id"), id, path);
  const again = await azure.arm("PUT", `${network}/VIRTUALNETWORKS/mynet?${v}`, vnetBody);
  assert.equal(again.status, 200);
  assert.equal(nonEmptyStringAt(again.json, "id"), id);
});

test("a resource requires a location and cannot move", async () => {
  await using azure = await withGroup();
  const path = `${network}/virtualNetworks/a?${v}`;
  const put = async (place?: string) => {
    const response = await azure.arm("PUT", path, { ...vnetBody, location: place ?? null });
    return nonEmptyStringAt(response.json, "error", "code") ?? response.status;
  };
  assert.equal(await put(), "LocationRequired");
  assert.equal(await put("atlantis"), "LocationNotAvailableForResourceType");
  assert.equal(await put("East US"), 201);
  assert.equal(await put("westeurope"), "InvalidResourceLocation");
  assert.equal(await put("eastus"), 200);
});

test("an unmet condition rejects the request without a change", async () => {
  await using azure = await withGroup();
  const { network: client } = azure.clients;
  const put = (name: string, headers: Record<string, string>) =>
    client.virtualNetworks.createOrUpdate(
      "g",
      name,
      { location, addressSpace: { addressPrefixes: ["10.0.0.0/16"] } },
      { ...azure.clients.call(signal), requestOptions: { headers } },
    );
  await assert.rejects(put("a", { "if-match": "*" }), isPreconditionFailed);
  const made = await put("a", { "if-none-match": "*" });
  assert.match(made.etag ?? "", /^W\/"[\da-f-]+"$/);
  await assert.rejects(put("a", { "if-none-match": "*" }), isPreconditionFailed);
  await assert.rejects(put("a", { "if-match": 'W/"other"' }), isPreconditionFailed);
  const changed = await put("a", { "if-match": made.etag ?? "" });
  await assert.rejects(put("a", { "if-match": made.etag ?? "" }), isPreconditionFailed);
  await put("a", { "if-match": `"x", ${changed.etag}` });
});

test("a patch replaces all tags and no other properties", async () => {
  await using azure = await withGroup();
  const path = `${network}/virtualNetworks/a?${v}`;
  await azure.arm("PUT", path, { ...vnetBody, tags: { a: "1", b: "2" } });
  const patched = await azure.arm("PATCH", path, { tags: { c: "3" } });
  assert.deepEqual(at(patched.json, "tags"), { c: "3" });
  assert.deepEqual(at(patched.json, "properties", "addressSpace", "addressPrefixes"), ["10.0.0.0/16"]);
  assert.equal((await azure.arm("PATCH", `${network}/virtualNetworks/absent?${v}`, {})).status, 404);
});

test("pages of a list contain each item exactly once, even with concurrent writes", async () => {
  await using azure = await withGroup(2);
  const call = azure.clients.call(signal);
  for (const name of ["a", "b", "c", "d", "e"])
    await azure.arm("PUT", `${network}/virtualNetworks/${name}?${v}`, vnetBody);
  const seen: string[] = [];
  for await (const each of azure.clients.network.virtualNetworks.list("g", call)) {
    seen.push(each.name ?? "");
    if (seen.length === 2) {
      await azure.arm("DELETE", `${network}/virtualNetworks/a?${v}`);
      await azure.arm("PUT", `${network}/virtualNetworks/aa?${v}`, vnetBody);
    }
  }
  assert.deepEqual(seen, ["a", "b", "c", "d", "e"]);
  const first = await azure.arm("GET", `${network}/virtualNetworks?${v}&$top=1`);
  assert.equal(objectsAt(first.json, "value").length, 1);
  assert.match(nonEmptyStringAt(first.json, "nextLink") ?? "", /%24top=1.*%24skipToken=/);
});

test("the resources of a group and of the subscription are listed, filtered, and deleted by ID", async () => {
  await using azure = await withGroup();
  const { resources } = azure.clients;
  const call = azure.clients.call(signal);
  await azure.arm("PUT", `${network}/virtualNetworks/a?${v}`, { ...vnetBody, tags: { role: "x" } });
  await azure.arm("PUT", `${network}/networkSecurityGroups/n?${v}`, { location });
  const names = async (list: AsyncIterable<{ name?: string }>) =>
    (await Array.fromAsync(list)).map(({ name }) => name);
  assert.deepEqual(await names(resources.resources.listByResourceGroup("g", call)), ["n", "a"]);
  const filter = "resourceGroup eq 'G' and resourceType eq 'Microsoft.Network/virtualNetworks'";
  assert.deepEqual(await names(resources.resources.list({ ...call, filter })), ["a"]);
  assert.deepEqual(
    await names(resources.resources.list({ ...call, filter: "tagName eq 'role' and tagValue eq 'y'" })),
    [],
  );
  await assert.rejects(
    names(resources.resources.list({ ...call, filter: "color eq 'red'" })),
    (error) => azureErrorCode(error) === "InvalidFilterInQueryString",
  );
  const expanded = await Array.fromAsync(
    resources.resources.list({ ...call, expand: "createdTime,provisioningState" }),
  );
  assert.deepEqual(
    expanded.map((each) => [each.createdTime !== undefined, each.provisioningState]),
    (await names(resources.resources.list(call))).map(() => [true, "Succeeded"]),
  );
  assert.ok(expanded.length > 1);
  await resources.resources.deleteById(`${network}/virtualNetworks/a`.slice(1), "2024-05-01", call);
  assert.deepEqual(await names(resources.resources.list(call)), ["n"]);
  assert.equal((await azure.arm("DELETE", `${network}/virtualNetworks/a?${v}`)).status, 204);
});

test("the subscription, its tenant, places and providers describe themselves", async () => {
  await using azure = await withGroup();
  const value = async (path: string) => objectsAt((await azure.arm("GET", `${path}?${v}`)).json, "value");
  assert.equal(nonEmptyStringAt((await value("/subscriptions"))[0], "state"), "Enabled");
  assert.equal((await value("/tenants")).length, 1);
  assert.deepEqual(
    (await value(`${subscription}/locations`)).map(({ name }) => name),
    ["eastus", "westeurope"],
  );
  const states = (await value(`${subscription}/providers`)).map((each) => each.registrationState);
  assert.deepEqual([...new Set(states)], ["Registered"]);
  const { providers } = azure.clients.resources;
  assert.equal(
    (await providers.get("microsoft.redhatopenshift", azure.clients.call(signal))).registrationState,
    "Registered",
  );
  assert.equal(
    (await providers.register("Microsoft.Network", azure.clients.call(signal))).namespace,
    "Microsoft.Network",
  );
  const service = await azure.arm("GET", `${subscription}/providers/microsoft.redhatopenshift?${v}`);
  const [authorization] = objectsAt(service.json, "authorizations");
  assert.equal(authorization?.applicationId, "f1dd0a37-89c6-4e07-bcd1-ffd3d43d8875");
  const rights = await value(
    `${network.replace("Microsoft.Network", "Microsoft.Authorization")}/permissions`,
  );
  assert.deepEqual(at(rights[0], "actions"), ["*"]);
});

test("the cloud can be registered by its metadata in all three forms", async () => {
  await using azure = await startTestAzure();
  const metadata = async (version: string) =>
    (await azure.raw(`//metadata/endpoints?api-version=${version}`)).json;
  const host = `https://127.0.0.1:${azure.port}`;
  assert.equal(nonEmptyStringAt(await metadata("2015-01-01"), "authentication", "loginEndpoint"), host);
  const array = await metadata("2019-05-01");
  for (const cloud of [await metadata("2022-09-01"), Array.isArray(array) ? array[0] : undefined]) {
    assert.equal(nonEmptyStringAt(cloud, "resourceManager"), `${host}/`);
    assert.equal(nonEmptyStringAt(cloud, "authentication", "loginEndpoint"), host);
    const audiences = at(cloud, "authentication", "audiences");
    assert.equal(Array.isArray(audiences) && audiences[0], host);
    assert.ok(
      nonEmptyStringAt(cloud, "name") &&
        nonEmptyStringAt(cloud, "suffixes", "keyVaultDns") &&
        nonEmptyStringAt(cloud, "microsoftGraphResourceId"),
    );
  }
});

test("responses have ARM's headers", async () => {
  await using azure = await withGroup();
  const token = await azure.clients.getToken(signal);
  const headers = {
    authorization: `Bearer ${token}`,
    "x-ms-client-request-id": "abc-1",
    "x-ms-return-client-request-id": "true",
    "x-ms-correlation-request-id": "def-2",
  };
  const response = await azure.raw(`/subscriptions?${v}`, { headers });
  assert.equal(response.headers["x-ms-client-request-id"], "abc-1");
  assert.equal(response.headers["x-ms-correlation-request-id"], "def-2");
  assert.match(String(response.headers["x-ms-request-id"]), /^[\da-f-]{36}$/);
  assert.match(String(response.headers["x-ms-ratelimit-remaining-subscription-reads"]), /^\d+$/);
});
