import assert from "node:assert/strict";
import { test } from "node:test";
import { apiVersionOf } from "./api-versions.ts";

for (const [type, version] of [
  ["Microsoft.Compute/virtualMachines", "2024-03-01"],
  ["Microsoft.Compute/disks", "2019-03-01"],
  ["Microsoft.Network/loadBalancers/probes", "2020-08-01"],
  ["MICROSOFT.NETWORK/privateDnsZones/A", "2018-09-01"],
  ["Microsoft.RedHatOpenShift/openShiftClusters", undefined],
  ["Microsoft.Networks/x", undefined],
  ["", undefined],
] as const) {
  test(`resources of type '${type}' are read with ${version ?? "no version: they are not known"}`, () => {
    assert.equal(apiVersionOf(type), version);
  });
}
