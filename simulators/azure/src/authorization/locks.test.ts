import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { nonEmptyStringAt } from "../base/json.ts";
import { location, startTestAzure, subscriptionId, type TestAzure } from "../testing/test-azure.ts";

const subscription = `/subscriptions/${subscriptionId}`;
const group = `${subscription}/resourceGroups/locked`;
const table = `${group}/providers/Microsoft.Network/routeTables/t`;
const vnet = `${group}/providers/Microsoft.Network/virtualNetworks/v`;
const subnet = `${vnet}/subnets/s`;
const v = "?api-version=2024-03-01";
const role = `${group}/providers/Microsoft.Authorization/roleAssignments/aaaaaaaa-0000-4000-8000-000000000001`;

describe("locks", () => {
  let azure: TestAzure;
  before(async () => {
    azure = await startTestAzure();
    await azure.arm("PUT", `${group}${v}`, { location });
    await azure.arm("PUT", `${table}${v}`, { location });
    const subnets = [{ name: "s", properties: { addressPrefix: "10.0.0.0/24" } }];
    const properties = { addressSpace: { addressPrefixes: ["10.0.0.0/16"] }, subnets };
    await azure.arm("PUT", `${vnet}${v}`, { location, properties });
  });
  after(() => azure[Symbol.asyncDispose]());

  const lockOf = (scope: string) => `${scope}/providers/Microsoft.Authorization/locks/keep${v}`;
  const rows: readonly (readonly [
    level: string,
    at: string,
    method: string,
    path: string,
    isRefused: boolean,
  ])[] = [
    ["CanNotDelete", table, "DELETE", table, true],
    ["CanNotDelete", table, "PUT", table, false],
    ["CanNotDelete", table, "DELETE", group, true],
    ["CanNotDelete", table, "PATCH", group, false],
    ["CanNotDelete", group, "DELETE", table, true],
    ["CanNotDelete", group, "PUT", table, false],
    ["CanNotDelete", subscription, "DELETE", group, true],
    ["CanNotDelete", vnet, "DELETE", subnet, true],
    ["CanNotDelete", group, "DELETE", role, true],
    ["ReadOnly", group, "GET", table, false],
    ["ReadOnly", group, "PUT", table, true],
    ["ReadOnly", group, "PATCH", table.toUpperCase(), true],
    ["ReadOnly", group, "POST", `${vnet}/anything`, true],
    ["ReadOnly", group, "PATCH", group, true],
    ["ReadOnly", table, "DELETE", vnet, false],
    ["ReadOnly", table, "PUT", vnet, false],
    ["ReadOnly", group, "DELETE", table, true],
    ["ReadOnly", table, "DELETE", group, true],
  ];
  for (const [level, at, method, path, isRefused] of rows)
    test(`${level} at ${at.split("/").at(-1)} ${isRefused ? "refuses" : "allows"} ${method} of ${path.split("/").at(-1)}`, async () => {
      assert.equal((await azure.arm("PUT", lockOf(at), { properties: { level } })).status, 201);
      const properties = { addressSpace: { addressPrefixes: ["10.0.0.0/16"] } };
      const body = method === "PUT" ? { location, properties } : { tags: {} };
      const response = await azure.arm(
        method,
        `${path}${v}`,
        method === "DELETE" || method === "GET" ? undefined : body,
      );
      const code = nonEmptyStringAt(response.json, "error", "code");
      if (isRefused) {
        assert.deepEqual([response.status, code], [409, "ScopeLocked"]);
        const word = method === "DELETE" ? "delete" : "write";
        assert.equal(
          nonEmptyStringAt(response.json, "error", "message"),
          `The scope '${path}' cannot perform ${word} operation because following scope(s) are locked: '${at}'. Please remove the lock and try again.`,
        );
      } else assert.notEqual(code, "ScopeLocked");
      assert.equal((await azure.arm("DELETE", lockOf(at))).status, 200, "a lock can always be taken off");
      if (response.status === 200 && method === "DELETE")
        await azure.arm("PUT", `${path}${v}`, { location, properties });
      if (method === "PUT" && path === vnet) {
        const subnetBody = { properties: { addressPrefix: "10.0.0.0/24" } };
        await azure.arm("PUT", `${subnet}${v}`, subnetBody);
      }
    });

  test("an unknown level is rejected", async () => {
    const response = await azure.arm("PUT", lockOf(group), { properties: { level: "Forever" } });
    assert.deepEqual(
      [response.status, nonEmptyStringAt(response.json, "error", "code")],
      [400, "LockLevelNotValid"],
    );
  });

  test("the locks of a group are listed with those of its resources, and deleted with it", async () => {
    await azure.arm("PUT", lockOf(table), { properties: { level: "ReadOnly", notes: "why" } });
    const list = `${group}/providers/Microsoft.Authorization/locks${v}`;
    assert.match((await azure.arm("GET", list)).text, /routeTables\/t.*"notes":"why"/);
    assert.deepEqual((await azure.arm("GET", `${list}&$filter=atScope()`)).json, { value: [] });
    await azure.arm("DELETE", lockOf(table));
  });
});
