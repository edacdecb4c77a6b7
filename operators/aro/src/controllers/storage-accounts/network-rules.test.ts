import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject, JsonValue } from "@keelson/base";
import { accountIds } from "./account-ids.ts";
import { planNetworkRules, reachesStorage } from "./network-rules.ts";

const a = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v/subnets/a";
const b = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v/subnets/b";
const allow = (id: string) => ({ id, action: "Allow" });

for (const { name, account, expected } of [
  {
    name: "an account without properties allows all networks and gets the subnets",
    account: {},
    expected: { defaultAction: "Allow", virtualNetworkRules: [allow(a), allow(b)] },
  },
  {
    name: "null rules are an empty list",
    account: { properties: { networkAcls: { defaultAction: "Deny", virtualNetworkRules: null } } },
    expected: { defaultAction: "Deny", virtualNetworkRules: [allow(a), allow(b)] },
  },
  {
    name: "preserves foreign rules and other properties of the account",
    account: {
      properties: {
        networkAcls: {
          bypass: "None",
          defaultAction: "Deny",
          ipRules: [{ value: "192.0.2.1" }],
          virtualNetworkRules: [allow("/other"), { ...allow(a.toUpperCase()), state: "Succeeded" }],
        },
      },
    },
    expected: {
      bypass: "None",
      defaultAction: "Deny",
      ipRules: [{ value: "192.0.2.1" }],
      virtualNetworkRules: [allow("/other"), { ...allow(a.toUpperCase()), state: "Succeeded" }, allow(b)],
    },
  },
  {
    name: "an account that allows all networks is not changed",
    account: { properties: { networkAcls: { virtualNetworkRules: [allow(b), allow(a)] } } },
    expected: undefined,
  },
] satisfies readonly { name: string; account: JsonObject; expected: JsonObject | undefined }[]) {
  test(name, () => {
    const plan = planNetworkRules(account, [a, b, a.toLowerCase()]);
    assert.deepEqual(plan, expected && { properties: { networkAcls: expected } });
    if (plan) assert.equal(planNetworkRules(plan, [a, b]), undefined, "nothing is left to do");
  });
}

for (const [name, serviceEndpoints, expected] of [
  ["no endpoints", null, false],
  ["another service", [{ service: "Microsoft.Sql", locations: ["*"] }], false],
  ["everywhere", [{ service: "Microsoft.Storage", locations: ["*"] }], true],
  ["the region", [{ service: "microsoft.storage", locations: ["westus", "EastUS"] }], true],
  ["another region", [{ service: "Microsoft.Storage", locations: ["westus"] }], false],
  ["no place", [{ service: "Microsoft.Storage", locations: null }], false],
] satisfies readonly [string, JsonValue, boolean][]) {
  test(`${name}: ${expected ? "leads" : "does not lead"} to storage`, () =>
    assert.equal(reachesStorage({ properties: { serviceEndpoints } }, "eastus"), expected));
}

const cluster = (spec: object) => ({
  apiVersion: "aro.openshift.io/v1alpha1",
  kind: "Cluster",
  metadata: { name: "cluster" },
  spec: { clusterResourceGroupId: "/subscriptions/s/resourceGroups/g", storageSuffix: "abc", ...spec },
});
const registry = (azure: unknown) => ({
  apiVersion: "v1",
  kind: "Config",
  metadata: { name: "cluster" },
  spec: { storage: { azure } },
});
const nil = "azure storage field is nil in image registry config";

for (const [name, spec, config, names, faults] of [
  ["both", {}, registry({ accountName: "registry" }), ["clusterabc", "registry"], []],
  ["no config", {}, undefined, ["clusterabc"], [nil]],
  ["storage elsewhere", {}, registry(null), ["clusterabc"], [nil]],
  [
    "a name that leads elsewhere",
    {},
    registry({ accountName: "../x" }),
    ["clusterabc"],
    ["'../x' is not the name of a storage account"],
  ],
  [
    "no group",
    { clusterResourceGroupId: "g" },
    registry({ accountName: "registry" }),
    [],
    ["spec.clusterResourceGroupId of the Cluster is 'g', not the ID of a resource group"],
  ],
] as const) {
  test(`accounts: ${name}`, () => {
    const found = accountIds(cluster(spec), config);
    assert.deepEqual(
      found.ids.map((id) => id.slice(id.lastIndexOf("/") + 1)),
      names,
    );
    assert.deepEqual(found.faults, faults);
  });
}
