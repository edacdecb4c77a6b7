import assert from "node:assert/strict";
import { test } from "node:test";
import { AllowedHosts } from "./allowed-hosts.ts";

const hosts = new AllowedHosts({
  hosts: ["management.azure.com", "Registry.azurecr.io", "*.ods.opinsights.azure.com"],
  storageSuffix: "core.windows.net",
});
const own = { storageSuffix: "abcde", imageRegistryStorageAccountName: "imageregistryabcde" };

const cases: readonly (readonly [host: string, isAllowed: boolean])[] = [
  ["management.azure.com", true],
  ["MANAGEMENT.azure.com", true],
  ["registry.azurecr.io", true],
  ["x.ods.opinsights.azure.com", true],
  ["a.b.ods.opinsights.azure.com", true],
  ["ods.opinsights.azure.com", false],
  ["evilods.opinsights.azure.com", false],
  ["clusterabcde.blob.core.windows.net", true],
  ["imageregistryabcde.blob.core.windows.net", true],
  ["clusterother.blob.core.windows.net", false],
  ["clusterabcde.file.core.windows.net", false],
  ["management.azure.com.evil.example", false],
  ["xmanagement.azure.com", false],
  ["management.azure.com.", false],
  ["", false],
];
for (const [host, isAllowed] of cases)
  test(`${JSON.stringify(host)} is ${isAllowed ? "allowed" : "denied"}`, () =>
    assert.equal(hosts.decide(host, own).isAllowed, isAllowed));

test("a cluster without storage accounts cannot reach those of other clusters", () => {
  assert.equal(hosts.decide("clusterabcde.blob.core.windows.net", {}).isAllowed, false);
  assert.equal(hosts.decide("cluster.blob.core.windows.net", { storageSuffix: "" }).isAllowed, false);
});
