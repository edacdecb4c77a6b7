import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { JsonObject } from "@keelson/base";
import { at, nonEmptyStringAt, objectsAt } from "../base/json.ts";
import { location, startTestAzure, subscriptionId, type TestAzure } from "../testing/test-azure.ts";

const subscription = `/subscriptions/${subscriptionId}`;
const group = `${subscription}/resourceGroups/g`;
const table = `${group}/providers/Microsoft.Network/routeTables/t`;
const version = "?api-version=2021-04-01";
let azure: TestAzure;

before(async () => {
  azure = await startTestAzure();
  await azure.arm("PUT", `${group}${version}`, { location });
  await azure.arm("PUT", `${table}?api-version=2024-05-01`, { location, tags: { by: "hand" } });
});
after(() => azure[Symbol.asyncDispose]());

for (const scope of [subscription, group, table]) {
  test(`the tags of ${scope.split("/").at(-2)} are replaced, merged and removed independently`, async () => {
    const path = `${scope}/providers/Microsoft.Resources/tags/default${version}`;
    const tags = async (method: string, body?: JsonObject) => {
      const { status, json } = await azure.arm(method, path, body);
      assert.equal(status, 200);
      return at(json, "properties", "tags");
    };
    const patch = (operation: string, given: JsonObject) =>
      tags("PATCH", { operation, properties: { tags: given } });
    assert.deepEqual(await tags("PUT", { properties: { tags: { a: "1", B: "2" } } }), { a: "1", B: "2" });
    assert.deepEqual(await patch("Merge", { b: "3", c: "4" }), { a: "1", b: "3", c: "4" });
    assert.deepEqual(await patch("Delete", { A: "1" }), { b: "3", c: "4" });
    assert.deepEqual(await patch("Replace", { d: "5" }), { d: "5" });
    assert.deepEqual(await tags("GET"), { d: "5" });
    const shown = await azure.arm("GET", `${scope}${version}`);
    assert.deepEqual(at(shown.json, "tags"), { d: "5" });
    assert.equal((await azure.arm("PATCH", path, { properties: { tags: {} } })).status, 400);
    assert.equal((await azure.arm("DELETE", path)).status, 200);
    assert.deepEqual(await tags("GET"), {});
  });
}

test("a missing resource has no tags", async () => {
  const path = `${table}x/providers/Microsoft.Resources/tags/default${version}`;
  const { status, json } = await azure.arm("GET", path);
  assert.deepEqual([status, nonEmptyStringAt(json, "error", "code")], [404, "ResourceNotFound"]);
});

test("groups are listed by a tag, and by its value", async () => {
  const make = (name: string, tags: JsonObject) =>
    azure.arm("PUT", `${subscription}/resourceGroups/${name}${version}`, { location, tags });
  await make("one", { Team: "red" });
  await make("two", { team: "blue" });
  const listed = async (filter: string) => {
    const query = `${version}&$filter=${encodeURIComponent(filter)}`;
    const { status, json } = await azure.arm("GET", `${subscription}/resourcegroups${query}`);
    return status === 200 ? objectsAt(json, "value").map(({ name }) => name) : status;
  };
  assert.deepEqual(await listed("tagName eq 'team'"), ["one", "two"]);
  assert.deepEqual(await listed("tagname eq 'team' and tagvalue eq 'blue'"), ["two"]);
  assert.deepEqual(await listed("tagName eq 'other'"), []);
  assert.equal(await listed("location eq 'eastus'"), 400);
});

test("tag names are created with their values, counted where they are used, and cannot be deleted in use", async () => {
  const names = `${subscription}/tagNames`;
  const call = async (method: string, path: string) =>
    (await azure.arm(method, `${names}${path}${version}`)).status;
  assert.deepEqual([await call("PUT", "/stage"), await call("PUT", "/stage")], [201, 200]);
  assert.deepEqual(
    [await call("PUT", "/stage/tagValues/dev"), await call("PUT", "/stage/tagValues/dev")],
    [201, 200],
  );
  await azure.arm("PUT", `${subscription}/resourceGroups/staged${version}`, {
    location,
    tags: { stage: "prod" },
  });
  const { json } = await azure.arm("GET", `${names}${version}`);
  const stage = objectsAt(json, "value").find(({ tagName }) => tagName === "stage");
  assert.equal(at(stage, "count", "value"), 1);
  assert.deepEqual(
    objectsAt(stage, "values").map((each) => [each.tagValue, at(each, "count", "value")]),
    [
      ["dev", 0],
      ["prod", 1],
    ],
  );
  assert.equal(await call("DELETE", "/stage"), 409);
  assert.deepEqual(
    [await call("DELETE", "/stage/tagValues/dev"), await call("DELETE", "/other")],
    [200, 204],
  );
});
