import assert from "node:assert/strict";
import { test } from "node:test";
import { isHarmful } from "./deny-rules.ts";

const networks = { masters: ["10.0.0.0/24"], workers: ["10.0.1.0/24"] };
const addresses: Readonly<Record<string, string>> = {
  master: "10.0.0.7",
  worker: "10.0.1.0/28",
  any: "*",
  vnet: "VirtualNetwork",
  all: "0.0.0.0/0",
  other: "192.168.0.0/16",
  tag: "Internet",
};

const cases: readonly (readonly [from: string, to: string, isHarmful: boolean])[] = [
  ["master", "master", true],
  ["master", "worker", true],
  ["worker", "master", true],
  ["worker", "worker", false],
  ["any", "worker", true],
  ["worker", "any", true],
  ["any", "any", true],
  ["vnet", "vnet", true],
  ["vnet", "master", true],
  ["any", "vnet", true],
  ["all", "worker", true],
  ["other", "master", false],
  ["any", "other", false],
  ["any", "tag", false],
  ["other", "other", false],
];
for (const [from, to, expected] of cases)
  test(`denying traffic from ${from} to ${to} is ${expected ? "" : "not "}harmful`, () => {
    const rule = {
      access: "Deny",
      sourceAddressPrefix: addresses[from] ?? "",
      destinationAddressPrefixes: [addresses[to] ?? ""],
    };
    assert.equal(isHarmful(rule, networks), expected);
    assert.equal(isHarmful({ ...rule, access: "Allow" }, networks), false);
  });
