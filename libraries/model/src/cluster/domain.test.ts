import assert from "node:assert/strict";
import { test } from "node:test";
import { clusterDomain } from "./domain.ts";

const zone = "eastus.example.org";
const cases = [
  { domain: "demo", fullName: "demo.eastus.example.org", managedPrefix: "demo" },
  { domain: "demo.eastus.example.org", fullName: "demo.eastus.example.org", managedPrefix: "demo" },
  { domain: "demo.contoso.com", fullName: "demo.contoso.com", managedPrefix: undefined },
  { domain: "a.b.eastus.example.org", fullName: "a.b.eastus.example.org", managedPrefix: undefined },
];

for (const { domain, fullName, managedPrefix } of cases) {
  test(`${domain} is ${managedPrefix === undefined ? "the customer's own" : "managed"}`, () => {
    assert.deepEqual(clusterDomain(domain, zone), { fullName, ...(managedPrefix ? { managedPrefix } : {}) });
  });
}
