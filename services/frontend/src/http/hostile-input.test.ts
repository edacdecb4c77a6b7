import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import { routes } from "../routes.ts";
import { clusterAddress, clusterBody, current } from "../testing/cluster-request.ts";
import { succeed } from "../testing/fake-worker.ts";
import { startTestFrontend, type TestFrontend } from "../testing/test-frontend.ts";

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

  test("tags of any name are stored and returned unchanged", async () => {
    const name = fc.oneof(
      fc.constantFrom(
        "__proto__",
        "constructor",
        "prototype",
        "toString",
        "valueOf",
        "hasOwnProperty",
        "length",
      ),
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }),
    );
    const entries = fc.uniqueArray(fc.tuple(name, fc.string({ maxLength: 10 })), {
      selector: ([each]) => each,
      minLength: 1,
      maxLength: 8,
    });
    const sorted = (tags: unknown) => Object.entries(Object(tags)).sort();
    await fc.assert(
      fc.asyncProperty(entries, async (sent) => {
        const tags = Object.fromEntries(sent);
        const patched = await frontend.client.patch(address.url, { tags });
        assert.equal(patched.status, 200, patched.text);
        await succeed(frontend.database, address);
        const shown = await frontend.client.get(address.url);
        const list = await frontend.client.get(
          `${address.id.replace(/\/[^/]*$/, "")}?api-version=${current}`,
        );
        for (const each of [patched.json, shown.json, Object(list.json.value)[0]])
          assert.deepEqual(sorted(each.tags), sent.toSorted());
        // A PUT with the properties of this GET response must leave the tags unchanged.
        const { systemData: _, ...same } = shown.json;
        const put = await frontend.client.put(address.url, same);
        assert.equal(put.status, 200, put.text);
        assert.deepEqual(sorted(put.json.tags), sent.toSorted());
        await succeed(frontend.database, address);
      }),
      {
        numRuns: 15,
        examples: [
          [
            [
              ["__proto__", "x"],
              ["constructor", "y"],
              ["toString", "z"],
            ],
          ],
        ],
      },
    );
    assert.deepEqual(Object.keys(Object.prototype), []);
  });

  const refused = clusterAddress(address.subscriptionId, "refused");
  const { properties, ...resource } = clusterBody(refused);
  const { clusterProfile, networkProfile, masterProfile, servicePrincipalProfile } = properties;
  const [workers] = properties.workerProfiles;
  const subnetId = `${masterProfile.subnetId}\0`;
  const fields: readonly (readonly [string, object])[] = [
    ["properties.clusterProfile.domain", { clusterProfile: { ...clusterProfile, domain: "a\0" } }],
    ["properties.clusterProfile.version", { clusterProfile: { ...clusterProfile, version: "4.19.2\0" } }],
    [
      "properties.clusterProfile.resourceGroupId",
      { clusterProfile: { ...clusterProfile, resourceGroupId: `${clusterProfile.resourceGroupId}\0` } },
    ],
    ["properties.consoleProfile.url", { consoleProfile: { url: "https://console\0" } }],
    ["properties.apiserverProfile.url", { apiserverProfile: { visibility: "Public", url: "https://api\0" } }],
    ["properties.apiserverProfile.ip", { apiserverProfile: { visibility: "Public", ip: "1.2.3.4\0" } }],
    [
      "properties.servicePrincipalProfile.clientId",
      { servicePrincipalProfile: { ...servicePrincipalProfile, clientId: "\0" } },
    ],
    [
      "properties.networkProfile.podCidr",
      { networkProfile: { ...networkProfile, podCidr: "10.128.0.0/14\0" } },
    ],
    ["properties.masterProfile.subnetId", { masterProfile: { ...masterProfile, subnetId } }],
    [
      "properties.masterProfile.diskEncryptionSetId",
      { masterProfile: { ...masterProfile, diskEncryptionSetId: "/subscriptions/\0" } },
    ],
    ["properties.workerProfiles['worker'].subnetId", { workerProfiles: [{ ...workers, subnetId }] }],
  ];
  for (const [target, wrong] of fields) {
    test(`a NUL in ${target} gets that field's error`, async () => {
      const body = { ...resource, properties: { ...properties, ...wrong } };
      const put = await frontend.client.put(refused.url, body);
      assert.deepEqual([put.status, put.error.target], [400, target], put.text);
      assert.notEqual(put.error.code, "InvalidRequestContent");
    });
  }

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

  const parts: Readonly<Record<string, { readonly valid: string; readonly code: string }>> = {
    subscriptionId: { valid: address.subscriptionId, code: "InvalidSubscriptionID" },
    resourceGroup: { valid: address.resourceGroup, code: "ResourceGroupNotFound" },
    namespace: { valid: "microsoft.redhatopenshift", code: "InvalidResourceNamespace" },
    type: { valid: "openshiftclusters", code: "InvalidResourceType" },
    name: { valid: address.name, code: "ResourceNotFound" },
    location: { valid: "eastus", code: "InvalidLocation" },
    operationId: { valid: randomUUID(), code: "InvalidOperationID" },
    actionId: { valid: randomUUID(), code: "InvalidOperationID" },
    openShiftVersion: { valid: "4.19.2", code: "ResourceNotFound" },
    openShiftMinorVersion: { valid: "4.19", code: "ResourceNotFound" },
    manifestId: { valid: randomUUID(), code: "NotFound" },
    scheduleId: { valid: randomUUID(), code: "NotFound" },
    billingDocumentId: { valid: randomUUID(), code: "NotFound" },
  };
  const withParts = routes.flatMap(({ method, path }) =>
    path.split("/").flatMap((segment) => {
      const part = segment.slice(1);
      return segment.startsWith(":") && parts[part] ? [{ method, path, part, code: parts[part].code }] : [];
    }),
  );
  for (const { method, path, part, code } of withParts) {
    test(`a NUL in the ${part} of ${method} ${path} gets that part's error`, async () => {
      const at = path.replaceAll(/:(\w+)/g, (_, name: string) =>
        name === part ? "a%00b" : (parts[name]?.valid ?? name),
      );
      const { status, error, text } = await frontend.client.send(method, `${at}?api-version=${current}`, {
        ...(method === "PUT" || method === "PATCH" || method === "POST" ? { body: {} } : {}),
      });
      assert.deepEqual([Math.floor(status / 100), error?.code], [4, code], text);
    });
  }

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

  test("no request causes an internal error", async () => {
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
