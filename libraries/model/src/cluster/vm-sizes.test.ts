import assert from "node:assert/strict";
import { test } from "node:test";
import { findVmSize, minimumVersion, vmSizes } from "./vm-sizes.ts";

test("70 sizes for masters, 139 for workers, three for development, no name twice", () => {
  const production = vmSizes.filter(({ developmentOnly }) => !developmentOnly);
  assert.equal(production.filter(({ roles }) => roles.includes("master")).length, 70);
  assert.equal(production.filter(({ roles }) => roles.includes("worker")).length, 139);
  assert.equal(vmSizes.length, 142);
  assert.equal(new Set(vmSizes.map(({ name }) => name)).size, vmSizes.length);
});

for (const [name, cores, family] of [
  ["Standard_D8s_v5", 8, "standardDSv5Family"],
  ["Standard_E104ids_v5", 104, "standardEIDSv5Family"],
  ["Standard_M128ms", 128, "standardMSFamily"],
  ["Standard_L32s", 32, "standardLsv2Family"],
  ["Standard_NC64as_T4_v3", 64, "Standard NCASv3_T4 Family"],
  ["Standard_D16lds_v6", 16, "standardDLDSv6Family"],
] as const) {
  test(`${name} has ${cores} cores of ${family}`, () => {
    assert.equal(findVmSize(name)?.cores, cores);
    assert.equal(findVmSize(name)?.family, family);
  });
}

test("roles, versions and encryption", () => {
  assert.deepEqual(findVmSize("Standard_D4s_v3")?.roles, ["worker"]);
  assert.equal(findVmSize("Standard_D2s_v3")?.developmentOnly, true);
  assert.equal(findVmSize("standard_d8s_v3"), undefined);
  assert.equal(minimumVersion("Standard_D8s_v6"), "4.19.0");
  assert.equal(minimumVersion("Standard_D8s_v5"), undefined);
  assert.equal(findVmSize("Standard_M128ms")?.encryptionAtHost, false);
});
