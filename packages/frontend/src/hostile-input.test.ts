import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import { clusterAddress, clusterBody, current } from "./testing/cluster-request.ts";
import { succeed } from "./testing/fake-worker.ts";
import { startTestFrontend, type TestFrontend } from "./testing/test-frontend.ts";

let frontend: TestFrontend;
before(async () => {
  frontend = await startTestFrontend();
});
after(() => frontend[Symbol.asyncDispose]());

const missing = clusterAddress("00000000-0000-0000-0000-000000000001", "missing");
const operations = "/providers/Microsoft.RedHatOpenShift/operations";

describe("hostile input", () => {
  const address = clusterAddress(randomUUID());
  const pollute = `{"__proto__":{"polluted":true},"properties":{"__proto__":{"polluted":true}},"tags":{"__proto__":"x"}}`;

  before(async () => {
    await frontend.client.put(`/subscriptions/${address.subscriptionId}`, { state: "Registered" });
    assert.equal((await frontend.client.put(address.url, clusterBody(address))).status, 201);
    await succeed(frontend.database, address);
  });

  const names = [
    "%2F",
    "a%2Fb",
    "%00",
    "%ff",
    "%zz",
    "..",
    "%2e%2e",
    "a%23b",
    "%E2%84%AA",
    "a".repeat(5_000),
    "%F0%9F%98%80",
  ];
  for (const name of names) {
    test(`the name ${name.slice(0, 20)} is refused`, async () => {
      const response = await frontend.client.get(missing.url.replace("/missing?", `/${name}?`));
      assert.deepEqual([response.status, response.error.code], [400, "ResourceNotFound"]);
    });
  }

  test("of several API versions the first counts", async () => {
    const twice = await frontend.client.get(`${address.url}&api-version=nonsense`);
    assert.equal(twice.status, 200);
    const other = await frontend.client.get(`${address.id}?api-version=nonsense&api-version=${current}`);
    assert.equal(other.status, 400);
  });

  test("a body cannot reach the prototype of objects", async () => {
    const { status } = await frontend.client.patch(address.url, pollute);
    assert.equal(status, 200);
    assert.equal(Reflect.get({}, "polluted"), undefined);
    await succeed(frontend.database, address);
  });

  const bodies = [
    { name: "text that is not JSON", body: "{]" },
    { name: "nothing", body: "" },
    { name: "an array", body: "[]" },
    { name: "null", body: "null" },
    { name: "a number", body: "1" },
    { name: "100,000 nested arrays", body: `{"tags":${"[".repeat(100_000)}${"]".repeat(100_000)}}` },
    { name: "a NUL character", body: '{"tags":{"a":"\\u0000"}}' },
    { name: "half a surrogate pair", body: '{"tags":{"a":"\\ud800"}}' },
    { name: "tags of another type", body: '{"tags":[1]}' },
    { name: "properties of another type", body: '{"properties":"x"}' },
  ];
  for (const { name, body } of bodies) {
    test(`${name} as the body is 400 InvalidRequestContent`, async () => {
      const response = await frontend.client.patch(address.url, body);
      assert.deepEqual([response.status, response.error.code], [400, "InvalidRequestContent"], response.text);
    });
  }

  test("headers that are too large are refused by status 431", async () => {
    const headers = { "x-large": "x".repeat(70_000) };
    const refused = await frontend
      .connect()
      .get(operations, { headers })
      .catch(() => undefined);
    if (refused) assert.equal(refused.status, 431);
    assert.equal((await frontend.client.get(operations)).status, 200);
  });

  test("odd headers do no harm", async () => {
    const headers = {
      referer: "https://[broken",
      "x-ms-arm-resource-system-data": '{"createdBy":"\\u0000"}',
      "x-ms-correlation-request-id": "é\t'\"<>",
      "x-ms-client-request-id": "x".repeat(4_000),
      "x-ms-return-client-request-id": "maybe",
    };
    const { status, text } = await frontend.client.patch(address.url, {}, { headers });
    assert.equal(status, 200, text);
    await succeed(frontend.database, address);
  });

  test("whatever is sent, no answer is an internal error", async () => {
    const segment = fc.oneof(
      fc.constantFrom(
        "subscriptions",
        address.subscriptionId,
        "resourceGroups",
        "Group",
        "providers",
        "locations",
      ),
      fc.constantFrom(
        "Microsoft.RedHatOpenShift",
        "openShiftClusters",
        "demo",
        "eastus",
        "operationsstatus",
        "",
      ),
      fc.constantFrom("..", "%", "%2f", "%00", "admin", "preflight", "deployments", "listCredentials"),
      fc.webSegment(),
    );
    const path = fc.oneof(
      fc.array(segment, { maxLength: 12 }).map((parts) => `/${parts.join("/")}`),
      fc.constantFrom(address.id, missing.id, `${address.id}/listCredentials`, operations),
    );
    const query = fc.oneof(
      fc.constant(`api-version=${current}`),
      fc.constant(`api-version=${current}&$skipToken=AAAA`),
      fc.webQueryParameters(),
    );
    const method = fc.constantFrom("GET", "PUT", "PATCH", "POST", "DELETE", "HEAD", "OPTIONS");
    const body = fc.option(fc.oneof(fc.json(), fc.string(), fc.constant(pollute)), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(method, path, query, body, async (verb, at, search, text) => {
        const sent = text === undefined ? {} : { body: text };
        const { status } = await frontend.client.send(verb, `${at}?${search}`, sent);
        assert.ok(status < 500, `${verb} ${at}?${search}: ${status}`);
      }),
      { numRuns: 300 },
    );
  });
});
