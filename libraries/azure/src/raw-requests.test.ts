import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { location, startTestAzure, subscriptionId, type TestAzure } from "@keelson/sim-azure/testing";
import { azureErrorCode, statusOf } from "./azure-error.ts";

const signal = AbortSignal.timeout(900_000);
const group = `/subscriptions/${subscriptionId}/resourceGroups/g`;
let azure: TestAzure;
before(async () => {
  azure = await startTestAzure();
  await azure.clients.resources.resourceGroups.createOrUpdate("g", { location }, azure.clients.call(signal));
});
after(() => azure[Symbol.asyncDispose]());

test("a resource is returned with properties that the clients do not have", async () => {
  const id = `${group}/providers/Microsoft.Network/publicIPAddresses/ip`;
  const version = "api-version=2020-08-01";
  const body = {
    location,
    properties: { publicIPAllocationMethod: "Static", invention: { of: "tomorrow" } },
  };
  await azure.arm("PUT", `${id}?${version}`, body);
  const read = await azure.clients.raw.get(id, { "api-version": "2020-08-01" }, signal);
  assert.match(JSON.stringify(read), /"invention":\{"of":"tomorrow"\}/);
});

test("a written resource keeps properties that the clients do not have, and can be deleted", async () => {
  const id = `${group}/providers/Microsoft.Network/publicIPAddresses/written`;
  const query = { "api-version": "2020-08-01" };
  const { raw } = azure.clients;
  const body = { location, properties: { publicIPAllocationMethod: "Static", invention: "tomorrow" } };
  await raw.write({ method: "PUT", id, query, body }, signal);
  assert.match(JSON.stringify(await raw.get(id, query, signal)), /"invention":"tomorrow"/);
  await raw.write({ method: "DELETE", id, query }, signal);
  await assert.rejects(raw.get(id, query, signal), (error) => statusOf(error) === 404);
  await assert.rejects(
    raw.write({ method: "PUT", id: `${id}/a/b`, query, body }, signal),
    (error) => statusOf(error) !== undefined,
  );
});

for (const id of [
  "@elsewhere.example/subscriptions",
  ".elsewhere.example/a",
  "1/subscriptions",
  "subscriptions/a",
  "",
  ...[
    "/../../../subscriptions/OTHER/resourceGroups/secret#",
    "/../x",
    "/./x",
    "/%2e%2e/x",
    "/x?api-version=1",
    "/x#",
    "/x\\..\\y",
    "/x\ty",
  ].map((rest) => `${group}/providers/Microsoft.Compute/diskEncryptionSets${rest}`),
]) {
  test(`an ID that refers to a different endpoint is rejected: '${id}'`, async () => {
    await assert.rejects(azure.clients.raw.get(id, {}, signal), { code: "InvalidResourceId" });
  });
}

test("errors are those of the clients", async () => {
  const missing = `${group}/providers/Microsoft.Network/publicIPAddresses/none`;
  await assert.rejects(
    azure.clients.raw.get(missing, { "api-version": "2020-08-01" }, signal),
    (error) => statusOf(error) === 404 && azureErrorCode(error) === "ResourceNotFound",
  );
});

test("a download that is refused is an error without the signature", async () => {
  const pieces = azure.clients.raw.download(`${azure.url}/web/account/none.txt?sig=s3cret`, signal);
  await assert.rejects(Array.fromAsync(pieces), (error) => {
    assert.equal(statusOf(error), 404);
    assert.doesNotMatch(`${error}`, /s3cret/);
    return true;
  });
});
