import assert from "node:assert/strict";
import { test } from "node:test";
import { constantCase, docstring, snakeCase } from "./python-names.ts";

for (const [name, expected] of [
  ["diskSizeGB", "disk_size_gb"],
  ["preconfiguredNSG", "preconfigured_nsg"],
  ["OpenShiftVersions", "open_shift_versions"],
  ["managedOutboundIps", "managed_outbound_ips"],
  ["id", "id"],
  ["apiserverProfile", "apiserver_profile"],
] as const)
  test(`${name} is ${expected}`, () => assert.equal(snakeCase(name), expected));

for (const [value, expected] of [
  ["Standard_D16as_v4", "STANDARD_D16_AS_V4"],
  ["SystemAssigned,UserAssigned", "SYSTEM_ASSIGNED_USER_ASSIGNED"],
  ["OVNKubernetes", "OVN_KUBERNETES"],
  ["Private", "PRIVATE"],
] as const)
  test(`${value} is ${expected}`, () => assert.equal(constantCase(value), expected));

test("words that would end their docstring do not", () => {
  assert.equal(docstring('Of "a".', ""), '"""Of "a"."""\n');
  assert.equal(docstring('Of "a"', ""), '"""Of "a"\n"""\n');
  assert.equal(docstring('"""a\\', ""), `"""'''a\\\\"""\n`);
});
