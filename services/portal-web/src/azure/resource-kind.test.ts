import assert from "node:assert/strict";
import { test } from "node:test";
import { detailOfType, shortType } from "./resource-kind.ts";

test("virtual machines have a console and network interfaces have routes, in any case", () => {
  assert.equal(detailOfType("Microsoft.Compute/virtualMachines"), "console");
  assert.equal(detailOfType("microsoft.network/networkinterfaces"), "routes");
  assert.equal(detailOfType("Microsoft.Compute/virtualMachines/extensions"), undefined);
});

test("the short type omits the provider", () => {
  assert.equal(shortType("Microsoft.Compute/virtualMachines"), "virtualMachines");
  assert.equal(shortType("Microsoft.Network/virtualNetworks/subnets"), "virtualNetworks/subnets");
  assert.equal(shortType("other"), "other");
});
