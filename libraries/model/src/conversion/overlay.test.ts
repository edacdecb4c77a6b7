import assert from "node:assert/strict";
import { test } from "node:test";
import { CloudError } from "@keelson/arm";
import type { JsonObject } from "@keelson/base";
import fc from "fast-check";
import { apiVersions } from "../api-versions/api-versions.ts";
import { errorOf, merged } from "../testing/rule-table.ts";
import { installedCluster, testRequest, validBody, versionNamed } from "../testing/test-cluster.ts";
import { applyClusterRequest } from "../validation/put-or-patch-request.ts";
import { overlay } from "./overlay.ts";

const first = versionNamed("2019-12-31-preview");
const newest = versionNamed("2025-07-25");

for (const [title, base, body, inFirst, inNewest] of [
  [
    "tags are replaced",
    { tags: { a: "1" } },
    { tags: { b: "2" } },
    { tags: { b: "2" } },
    { tags: { b: "2" } },
  ],
  ["null clears tags", { tags: { a: "1" } }, { tags: null }, {}, {}],
  ["a tag that is null is empty", {}, { tags: { a: null } }, { tags: { a: "" } }, { tags: { a: "" } }],
  [
    "missing properties stay",
    { name: "a", tags: { a: "1" } },
    {},
    { name: "a", tags: { a: "1" } },
    { name: "a", tags: { a: "1" } },
  ],
  ["null keeps a string", { name: "a" }, { name: null }, { name: "a" }, { name: "a" }],
  ["unknown properties are ignored", {}, { surprise: { deep: [1] } }, {}, {}],
  ["names match in any case before 2025", { name: "a" }, { NAME: "b" }, { name: "b" }, { name: "a" }],
  [
    "objects merge",
    { properties: { networkProfile: { podCidr: "a", serviceCidr: "b" } } },
    { properties: { networkProfile: { podCidr: "c" } } },
    { properties: { networkProfile: { podCidr: "c", serviceCidr: "b" } } },
    { properties: { networkProfile: { podCidr: "c", serviceCidr: "b" } } },
  ],
  [
    "lists merge by index and take the body's length",
    { properties: { workerProfiles: [{ name: "a", count: 1 }, { name: "b" }] } },
    { properties: { workerProfiles: [{ count: 2 }] } },
    { properties: { workerProfiles: [{ name: "a", count: 2 }] } },
    { properties: { workerProfiles: [{ name: "a", count: 2 }] } },
  ],
  [
    "null empties a list before 2025",
    { properties: { workerProfiles: [{ name: "a" }] } },
    { properties: { workerProfiles: null } },
    { properties: {} },
    { properties: { workerProfiles: [{ name: "a" }] } },
  ],
  [
    "null removes an optional object before 2025",
    { properties: { servicePrincipalProfile: { clientId: "a" } } },
    { properties: { servicePrincipalProfile: null } },
    { properties: {} },
    { properties: { servicePrincipalProfile: { clientId: "a" } } },
  ],
  [
    "null keeps an object that is always there",
    { properties: { masterProfile: { vmSize: "a" } } },
    { properties: { masterProfile: null } },
    { properties: { masterProfile: { vmSize: "a" } } },
    { properties: { masterProfile: { vmSize: "a" } } },
  ],
] as const) {
  test(title, () => {
    assert.deepEqual(overlay(first, base, body), inFirst);
    assert.deepEqual(overlay(newest, base, body), inNewest);
  });
}

test("platform identities merge by operator, each replaced whole", () => {
  const identities = (platformWorkloadIdentities: object) => ({
    properties: { platformWorkloadIdentityProfile: { platformWorkloadIdentities } },
  });
  const base = {
    properties: {
      platformWorkloadIdentityProfile: { platformWorkloadIdentities: { a: { resourceId: "1" } } },
    },
  };
  assert.deepEqual(
    overlay(newest, base, identities({ b: { resourceId: "2" } })),
    identities({ a: { resourceId: "1" }, b: { resourceId: "2" } }),
  );
  assert.deepEqual(overlay(newest, base, identities({ a: {} })), identities({ a: {} }));
});

test("a cluster identity is replaced, unless the body has none", () => {
  const base = { identity: { type: "UserAssigned", userAssignedIdentities: { a: {} } } };
  const body = (userAssignedIdentities: object) => ({ identity: { userAssignedIdentities } });
  assert.deepEqual(overlay(newest, base, body({ b: {} })).identity, {
    type: "UserAssigned",
    userAssignedIdentities: { b: {} },
  });
  assert.deepEqual(overlay(newest, base, body({})), base);
});

for (const [title, body, target, reason] of [
  ["a list as body", [], undefined, "the body must be an object, not an array"],
  ["no body", undefined, undefined, "the body must be an object, not nothing"],
  ["null as body", null, undefined, "the body must be an object, not null"],
  ["a string as body", "x", undefined, "the body must be an object, not a string"],
  ["a number for a string", { name: 1 }, "name", "name must be a string, not a number"],
  ["a list for an object", { properties: [] }, "properties", "properties must be an object, not an array"],
  [
    "an object for a list",
    { properties: { workerProfiles: {} } },
    "properties.workerProfiles",
    "properties.workerProfiles must be an array, not an object",
  ],
  [
    "a string in a list",
    { properties: { workerProfiles: [{}, "x"] } },
    "properties.workerProfiles[1]",
    "properties.workerProfiles[1] must be an object, not a string",
  ],
  [
    "a string for a number",
    { properties: { workerProfiles: [{ count: "3" }] } },
    "properties.workerProfiles[0].count",
    "properties.workerProfiles[0].count must be an integer, not a string",
  ],
  [
    "half a worker",
    { properties: { workerProfiles: [{ count: 2.5 }] } },
    "properties.workerProfiles[0].count",
    "properties.workerProfiles[0].count must be an integer, not such a number",
  ],
  [
    "a number beyond all bounds",
    JSON.parse('{"properties":{"workerProfiles":[{"count":1e400}]}}'),
    "properties.workerProfiles[0].count",
    "properties.workerProfiles[0].count must be an integer, not such a number",
  ],
  ["a number as tag", { tags: { a: 1 } }, 'tags["a"]', 'tags["a"] must be a string, not a number'],
] as const) {
  test(`${title} is refused with its path`, () => {
    for (const version of [first, newest]) {
      const error = errorOf(testRequest({ version, body }));
      assert.equal(error.status, 400);
      assert.deepEqual(error.body, {
        code: "InvalidRequestContent",
        message: `The request content was invalid and could not be deserialized: ${JSON.stringify(reason)}.`,
        ...(target ? { target } : {}),
      });
    }
  });
}

test("numbers have 32 bits in generated models", () => {
  const body = { properties: { workerProfiles: [{ count: 2 ** 31 }] } };
  assert.doesNotThrow(() => overlay(first, {}, body));
  assert.throws(() => overlay(newest, {}, body), CloudError);
});

test("times of a request are RFC 3339", () => {
  for (const createdAt of ["yesterday", "2026-13-02T03:04:05Z"]) {
    const body = { systemData: { createdAt } };
    assert.throws(() => overlay(newest, {}, body), /systemData.createdAt must be an RFC 3339 time/);
  }
  const body = { systemData: { createdAt: "2026-12-31T23:59:59.1234567+02:00" } };
  assert.deepEqual(overlay(newest, {}, body), body);
});

test("names that mean something to JavaScript are data", () => {
  const tags = JSON.parse('{"__proto__":"a","constructor":"b","toString":"c"}');
  for (const version of [first, newest]) {
    const strange: JsonObject = JSON.parse('{"__proto__":{"location":"x"},"constructor":{}}');
    const body = { ...merged(validBody(version), strange), tags };
    const cluster = applyClusterRequest(testRequest({ version, body }));
    assert.deepEqual(Object.entries(cluster.tags ?? {}), Object.entries(tags));
    assert.equal(Object.getPrototypeOf(cluster.tags), Object.prototype);
    assert.equal(Object.hasOwn(Object.prototype, "location"), false);
  }
});

test("a body nested ten thousand deep harms nothing", () => {
  const deep = `${'{"properties":'.repeat(10_000)}{}${"}".repeat(10_000)}`;
  assert.equal(errorOf(testRequest({ version: newest, body: JSON.parse(deep) })).status, 400);
});

const names = [
  "properties",
  "tags",
  "identity",
  "name",
  "systemData",
  "clusterProfile",
  "networkProfile",
  "workerProfiles",
  "ingressProfiles",
  "count",
  "loadBalancerProfile",
  "platformWorkloadIdentityProfile",
  "platformWorkloadIdentities",
  "userAssignedIdentities",
  "servicePrincipalProfile",
  "__proto__",
];
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { depthSize: "medium" },
    fc.jsonValue({ maxDepth: 1 }),
    tie("object"),
    fc.array(tie("json"), { maxLength: 3 }),
  ),
  object: fc.dictionary(fc.oneof(fc.constantFrom(...names), fc.string()), tie("json"), { maxKeys: 8 }),
}));

test("every JSON body results in a cluster or an ARM error", () => {
  const clusters = apiVersions.map((version) => installedCluster(version));
  fc.assert(
    fc.property(
      json,
      fc.constantFrom(...apiVersions),
      fc.constantFrom("PUT", "PATCH", "new"),
      (body, version, how) => {
        const [cluster] = clusters;
        const request =
          how === "new" || !cluster
            ? testRequest({ version, body })
            : testRequest({ version, body, current: cluster, method: how });
        try {
          applyClusterRequest(request);
        } catch (error) {
          assert.ok(error instanceof CloudError, String(error));
          assert.equal(error.status, 400);
        }
      },
    ),
    { numRuns: 500 },
  );
});
