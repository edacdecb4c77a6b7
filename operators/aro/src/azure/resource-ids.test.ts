import assert from "node:assert/strict";
import { test } from "node:test";
import { isResourceId } from "./resource-ids.ts";

const group = "/subscriptions/s/resourceGroups/g";
for (const [id, expected] of [
  [`${group}/providers/Microsoft.Network/virtualNetworks/v`, true],
  ["/subscriptions/s/resourceGroups/Gruppe_(ä).1/providers/Microsoft.Network/virtualNetworks/v", true],
  [`${group}/providers/Microsoft.Network/virtualNetworks/..`, false],
  [`${group}/providers/Microsoft.Network/virtualNetworks/v?x=y`, false],
  [`${group}/providers/Microsoft.Network/virtualNetworks/%2e%2e`, false],
  [`${group}/providers/Microsoft.Network/virtualNetworks/v#`, false],
  [`${group}/providers/Microsoft.Network/virtualNetworks/${"v".repeat(91)}`, false],
  [group, false],
  ["", false],
] as const) {
  test(`'${id.slice(0, 100)}' is ${expected ? "a" : "no"} resource ID`, () =>
    assert.equal(isResourceId(id), expected));
}
