import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  formatResourceId,
  parseResourceId,
  resourceGroupNameOf,
  resourceNameOf,
  sameResource,
} from "./resource-id.ts";

const segment = fc.stringMatching(/^[-A-Za-z0-9_.()]{1,20}$/);

test("formatting and parsing are inverse", () => {
  const ids = fc.record(
    {
      subscriptionId: fc.uuid(),
      resourceGroup: segment,
      namespace: segment,
      path: fc.array(fc.tuple(segment, segment), { minLength: 1, maxLength: 4 }),
    },
    { noNullPrototype: true },
  );
  fc.assert(
    fc.property(ids, (id) => {
      assert.deepEqual(parseResourceId(formatResourceId(id)), id);
      assert.deepEqual(parseResourceId(formatResourceId(id).replace("resourceGroups", "RESOURCEGROUPS")), id);
    }),
  );
});

for (const text of [
  "",
  "/",
  "/subscriptions/s",
  "/subscriptions/s/resourceGroups/g",
  "/subscriptions/s/resourceGroups/g/providers/n",
  "/subscriptions/s/resourceGroups/g/providers/n/type",
  "/subscriptions/s/resourceGroups/g/providers/n/type/",
  "/subscriptions/s/resourceGroups/g/providers/n/type/name/odd",
  "subscriptions/s/resourceGroups/g/providers/n/type/name",
  "/subscriptions//resourceGroups/g/providers/n/type/name",
]) {
  test(`not a resource ID: "${text}"`, () => assert.equal(parseResourceId(text), undefined));
}

test("parts are found in any case", () => {
  assert.equal(resourceNameOf("/a/b/Name"), "Name");
  assert.equal(resourceGroupNameOf("/Subscriptions/s/RESOURCEGROUPS/Rg/providers/x"), "Rg");
  assert.equal(resourceGroupNameOf("/subscriptions/s/resourceGroups/Rg"), "Rg");
  assert.equal(resourceGroupNameOf("/subscriptions/s"), undefined);
  assert.ok(sameResource("/A/b", "/a/B"));
});
