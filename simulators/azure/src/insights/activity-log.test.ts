import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { at, nonEmptyStringAt, objectsAt } from "../base/json.ts";
import { Store } from "../store/store.ts";
import { clientId, location, startTestAzure, subscriptionId, type TestAzure } from "../testing/test-azure.ts";
import { ActivityLog } from "./activity-log.ts";

const subscription = `/subscriptions/${subscriptionId}`;
const group = `${subscription}/resourceGroups/logged`;
const table = `${group}/providers/Microsoft.Network/routeTables/t`;
const log = `${subscription}/providers/Microsoft.Insights/eventtypes/management/values?api-version=2015-04-01`;
const v = "?api-version=2024-03-01";

describe("the activity log", () => {
  let azure: TestAzure;
  const begun = new Date().toISOString();
  before(async () => {
    azure = await startTestAzure();
    await azure.arm("PUT", `${group}${v}`, { location });
    await azure.arm("PUT", `${table}${v}`, { location });
    await azure.arm("GET", `${table}${v}`);
    await azure.arm("PUT", `${group}/providers/Microsoft.Network/routeTables/%20${v}`, { location });
    azure.change({ faults: { slow: { kind: "operation-slow", delayMs: 1, verb: "delete" } } });
    await azure.arm("DELETE", `${table}${v}`);
    azure.change({ faults: null });
  });
  after(() => azure[Symbol.asyncDispose]());

  const events = async (filter?: string, more = "") => {
    const query = filter === undefined ? "" : `&$filter=${encodeURIComponent(filter)}`;
    const response = await azure.arm("GET", `${log}${query}${more}`);
    assert.equal(response.status, 200, response.text);
    return objectsAt(response.json, "value");
  };

  test("lists writes, deletions and failures with their callers, newest first, without reads", async () => {
    const seen = await events();
    assert.deepEqual(
      seen.map((each) => [
        nonEmptyStringAt(each, "operationName", "value"),
        nonEmptyStringAt(each, "status", "value"),
      ]),
      [
        ["Microsoft.Network/routeTables/delete", "Accepted"],
        ["Microsoft.Network/routeTables/write", "Failed"],
        ["Microsoft.Network/routeTables/write", "Succeeded"],
        ["Microsoft.Resources/subscriptions/resourceGroups/write", "Succeeded"],
      ],
    );
    assert.partialDeepStrictEqual(seen[2] ?? {}, {
      caller: clientId,
      resourceUri: table,
      resourceGroupName: "logged",
      authorization: { action: "Microsoft.Network/routeTables/write", scope: table },
      resourceType: { value: "Microsoft.Network/routeTables" },
      properties: { statusCode: "201" },
    });
    assert.match(nonEmptyStringAt(seen[1], "properties", "statusMessage") ?? "", /InvalidResourceName/);
  });

  test("a response's correlation ID finds its entry", async () => {
    const response = await azure.arm("PUT", `${group}${v}`, { location });
    const id = String(response.headers["x-ms-correlation-request-id"]);
    const found = await events(`correlationId eq '${id}'`);
    assert.deepEqual(
      found.map((each) => each.resourceUri),
      [group],
    );
  });

  const filters: readonly (readonly [filter: string, isFound: boolean])[] = [
    [`eventTimestamp ge '${begun}' and resourceGroupName eq 'LOGGED'`, true],
    ["resourceGroupName eq 'other'", false],
    [`eventTimestamp le '${begun}'`, false],
    [`resourceUri eq '${table}'`, true],
    ["resourceProvider eq 'Microsoft.Compute'", false],
    [`caller eq '${clientId}'`, true],
  ];
  for (const [filter, isFound] of filters)
    test(`$filter=${filter.replace(/\d{4}-\S+Z/, "the beginning")} finds ${isFound ? "something" : "nothing"}`, async () => {
      assert.equal((await events(filter)).length > 0, isFound);
    });

  test("$select limits the properties", async () => {
    const [event] = await events(undefined, "&$select=caller,status");
    assert.deepEqual(Object.keys(event ?? {}).sort(), ["caller", "status"]);
  });

  test("resources of a deployment have its correlation ID", async () => {
    const template = {
      $schema: "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
      contentVersion: "1.0.0.0",
      resources: [{ type: "Microsoft.Network/routeTables", apiVersion: "2024-03-01", name: "d", location }],
    };
    const id = `${group}/providers/Microsoft.Resources/deployments/one${v}`;
    await azure.arm("PUT", id, { properties: { mode: "Incremental", template } });
    const deployment = await azure.arm("GET", id);
    for (let look = 0; look < 200; look++) {
      if (
        nonEmptyStringAt((await azure.arm("GET", id)).json, "properties", "provisioningState") === "Succeeded"
      )
        break;
    }
    const correlationId = at(deployment.json, "properties", "correlationId");
    const found = await events(`correlationId eq '${String(correlationId)}'`);
    assert.ok(found.some((each) => String(each.resourceUri).endsWith("/routeTables/d")));
  });
});

test("the oldest entries are dropped, and the order survives a restart", () => {
  const store = Store.inMemory();
  const entry = (n: number) => ({
    at: "2026-01-01T00:00:00Z",
    action: `a${n}`,
    scope: "/",
    method: "PUT",
    caller: "me",
    correlationId: "c",
    statusCode: 200,
  });
  const first = new ActivityLog(store);
  store.transaction(() => {
    for (let n = 0; n < 2_010; n++) first.add(entry(n));
  });
  const second = new ActivityLog(store);
  store.transaction(() => second.add(entry(2_010)));
  const sorted = second.all().toSorted((a, b) => (a.id < b.id ? -1 : 1));
  assert.equal(sorted.length, 2_000);
  assert.equal(sorted[0]?.action, "a2010");
  assert.equal(sorted.at(-1)?.action, "a11");
});
