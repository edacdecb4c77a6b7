import assert from "node:assert/strict";
import { test } from "node:test";
import { BodySchemas } from "./body-schemas.ts";

const schemas = BodySchemas.ofVersion("2025-07-25");
const create = schemas.request("OpenShiftClusters_CreateOrUpdate");
const read = schemas.response("OpenShiftClusters_Get", 200);
const identityOf = (userAssignedIdentities: unknown) => ({
  location: "eastus",
  identity: { type: "UserAssigned", userAssignedIdentities },
});
const propertiesOf = (properties: unknown) => ({ location: "eastus", properties });

const cases: readonly {
  readonly name: string;
  readonly check: (body: unknown) => readonly string[];
  readonly body: unknown;
  readonly wrong?: readonly string[];
}[] = [
  { name: "the least request", check: create, body: { location: "eastus" } },
  {
    name: "a request without what is required",
    check: create,
    body: {},
    wrong: ["/: must have required property 'location' (location)"],
  },
  {
    name: "a property that is not in the document",
    check: read,
    body: propertiesOf({ clusterProfile: { sshKey: "" } }),
    wrong: ["/properties/clusterProfile: must NOT have additional properties (sshKey)"],
  },
  {
    name: "a read-only property in a response",
    check: read,
    body: { location: "eastus", id: "/subscriptions/x", systemData: { createdAt: "2026-01-02T03:04:05Z" } },
  },
  {
    name: "a read-only property in a request",
    check: create,
    body: propertiesOf({ consoleProfile: { url: "" } }),
    wrong: ["/properties/consoleProfile: must NOT have additional properties (url)"],
  },
  {
    name: "an inherited read-only property in a request",
    check: create,
    body: { location: "eastus", id: "/x" },
    wrong: ["/: must NOT have additional properties (id)"],
  },
  {
    name: "another type",
    check: create,
    body: propertiesOf({ workerProfiles: [{ count: "3" }] }),
    wrong: ["/properties/workerProfiles/0/count: must be integer (integer)"],
  },
  {
    name: "a number that does not fit",
    check: create,
    body: propertiesOf({ workerProfiles: [{ count: 2 ** 31 }] }),
    wrong: ['/properties/workerProfiles/0/count: must match format "int32" (int32)'],
  },
  {
    name: "a value that no document names",
    check: create,
    body: propertiesOf({ apiserverProfile: { visibility: "Secret" } }),
    wrong: [
      "/properties/apiserverProfile/visibility: must be equal to one of the allowed values (Private,Public)",
    ],
  },
  { name: "a map with nullable values", check: create, body: identityOf({ "/x": null, "/y": {} }) },
  {
    name: "a wrong value in a map",
    check: read,
    body: identityOf({ "/x": { clientId: "no GUID" } }),
    wrong: [
      '/identity/userAssignedIdentities/~1x/clientId: must match format "uuid" (uuid)',
      "/identity/userAssignedIdentities/~1x: must be null (null)",
      "/identity/userAssignedIdentities/~1x: must match a schema in anyOf",
    ],
  },
  {
    name: "a wrong ID and a wrong time",
    check: read,
    body: { location: "eastus", id: "x", systemData: { createdAt: "yesterday" } },
    wrong: [
      '/id: must match format "arm-id" (arm-id)',
      '/systemData/createdAt: must match format "date-time" (date-time)',
    ],
  },
  {
    name: "the error of the document",
    check: schemas.response("OpenShiftClusters_Get", 404),
    body: { error: { code: "ResourceNotFound", message: "It is not there.", details: [{ code: "x" }] } },
  },
  {
    name: "no body where none is documented",
    check: schemas.response("OpenShiftClusters_Delete", 204),
    body: "",
  },
  {
    name: "a body where none is documented",
    check: schemas.response("OpenShiftClusters_Delete", 202),
    body: {},
    wrong: ["/: there should be no body"],
  },
  {
    name: "a request without a body",
    check: schemas.request("OpenShiftClusters_ListCredentials"),
    body: undefined,
  },
];

for (const { name, check, body, wrong = [] } of cases) {
  test(`checks ${name}`, () => {
    assert.deepEqual([...check(body)].sort(), [...wrong].sort());
  });
}

test("what is not documented is named, with what is", () => {
  assert.throws(() => BodySchemas.ofVersion("1999-01-01"), {
    code: "NotDocumented",
    message: /no document of the API version 1999-01-01: there are 2019-12-31-preview, .*2025-07-25/,
  });
  assert.throws(() => schemas.request("OpenShiftClusters_Paint"), {
    code: "NotDocumented",
    message: /2025-07-25 there is no operation OpenShiftClusters_Paint: there are .*OpenShiftClusters_Get/,
  });
  assert.throws(() => schemas.response("OpenShiftClusters_Get", 202), {
    code: "NotDocumented",
    message: /OpenShiftClusters_Get has no response with status 202/,
  });
});
