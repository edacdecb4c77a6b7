/**
 * Tests the response statuses of creations, repeated writes and deletions. Official clients reject statuses that the API
 * documents do not list.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { JsonObject } from "@keelson/base";
import { nonEmptyStringAt } from "../base/json.ts";
import { clientId, location, startTestAzure, subscriptionId, type TestAzure } from "../testing/test-azure.ts";

const subscription = `/subscriptions/${subscriptionId}`;
const group = `${subscription}/resourceGroups/g`;
const role = "providers/Microsoft.Authorization/roleDefinitions/11111111-1111-4111-8111-111111111111";
const reader = "acdd72a7-3385-48ef-bd42-f606fba81ae7";
const account = `${group}/providers/Microsoft.Storage/storageAccounts/statuses`;
const network = `${group}/providers/Microsoft.Network`;
const documents = `${group}/providers/Microsoft.DocumentDB/databaseAccounts/statuses`;

/** Resources in dependency order. They are deleted in reverse order. */
const table: readonly {
  readonly id: string;
  readonly body: JsonObject | (() => JsonObject);
  /** True if the response to a deletion contains the deleted resource. */
  readonly shown?: true;
  readonly created: number;
  readonly replaced: number;
  readonly deleted: number;
}[] = [
  {
    id: `${network}/networkSecurityGroups/nsg`,
    body: { location },
    created: 201,
    replaced: 200,
    deleted: 200,
  },
  {
    id: `${group}/providers/Microsoft.Compute/disks/disk`,
    body: { location, properties: { creationData: { createOption: "Empty" }, diskSizeGB: 8 } },
    created: 200,
    replaced: 200,
    deleted: 200,
  },
  {
    id: account,
    body: { location, kind: "StorageV2", sku: { name: "Standard_LRS" } },
    created: 200,
    replaced: 200,
    deleted: 200,
  },
  {
    id: `${network}/networkWatchers/watcher`,
    body: { location },
    created: 201,
    replaced: 200,
    deleted: 204,
  },
  {
    id: `${network}/networkWatchers/watcher/flowLogs/log`,
    body: {
      location,
      properties: { targetResourceId: `${network}/networkSecurityGroups/nsg`, storageId: account },
    },
    created: 201,
    replaced: 200,
    deleted: 204,
  },
  {
    id: `${subscription}/${role}`,
    body: { properties: { roleName: "Reads", permissions: [], assignableScopes: [subscription] } },
    created: 201,
    replaced: 201,
    deleted: 200,
    shown: true,
  },
  {
    id: `${group}/${role.replace("roleDefinitions", "roleAssignments")}`,
    body: () => ({
      properties: {
        principalId: azure.objectIdOf(clientId) ?? "",
        roleDefinitionId: `${subscription}/${role.replace(/[^/]+$/, reader)}`,
      },
    }),
    created: 201,
    replaced: 201,
    deleted: 200,
    shown: true,
  },
  {
    id: documents,
    body: {
      location,
      properties: { databaseAccountOfferType: "Standard", locations: [{ locationName: location }] },
    },
    created: 200,
    replaced: 200,
    deleted: 204,
  },
  {
    id: `${documents}/sqlDatabases/keelson`,
    body: { properties: { resource: { id: "keelson" } } },
    created: 200,
    replaced: 200,
    deleted: 204,
  },
];

const v = "?api-version=2024-11-15";
let azure: TestAzure;

before(async () => {
  azure = await startTestAzure();
  await azure.arm("PUT", `${group}${v}`, { location });
});
after(() => azure[Symbol.asyncDispose]());

test("every type returns the statuses in its API documents", async () => {
  const responses = [];
  for (const { id, body: given } of table) {
    const body = typeof given === "function" ? given() : given;
    const created = await azure.arm("PUT", `${id}${v}`, body);
    const replaced = await azure.arm("PUT", `${id}${v}`, body);
    responses.push({ id, created: created.status, replaced: replaced.status, deleted: 0, shown: "" });
  }
  for (const response of responses.toReversed()) {
    const { status, json } = await azure.arm("DELETE", `${response.id}${v}`);
    response.deleted = status;
    response.shown = nonEmptyStringAt(json, "id") ?? "";
  }
  assert.deepEqual(
    responses,
    table.map(({ id, created, replaced, deleted, shown }) => ({
      ...{ id, created, replaced, deleted },
      shown: shown ? id : "",
    })),
  );
});

for (const [type, name, body, status] of [
  ["Microsoft.Compute/disks", "slow", { properties: { creationData: { createOption: "Empty" } } }, 202],
  [
    "Microsoft.Storage/storageAccounts",
    "slowstatuses",
    { kind: "StorageV2", sku: { name: "Standard_LRS" } },
    202,
  ],
  ["Microsoft.Network/routeTables", "slow", {}, 201],
] as const) {
  test(`the asynchronous creation of ${type} returns ${status} with a polling URL`, async () => {
    azure.change({ faults: { slow: { kind: "operation-slow", delayMs: 200, type } } });
    const path = `${group}/providers/${type}/${name}${v}`;
    const response = await azure.arm("PUT", path, { location, ...body });
    azure.change({ faults: {} });
    assert.equal(response.status, status, response.text);
    assert.ok(response.headers["azure-asyncoperation"] ?? response.headers.location);
  });
}
