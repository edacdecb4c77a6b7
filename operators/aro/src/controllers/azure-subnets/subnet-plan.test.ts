import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@keelson/base";
import { isUpdating, planSubnet, requiredServices } from "./subnet-plan.ts";

const groupId = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/networkSecurityGroups/n";
const [registry = "", storage = ""] = requiredServices;
const fine = requiredServices.map((service) => ({
  service,
  locations: ["eastus"],
  provisioningState: "Succeeded",
}));
const group = "properties.networkSecurityGroup";
const endpoints = "properties.serviceEndpoints";

const cases: readonly {
  readonly name: string;
  readonly properties: JsonObject | null;
  readonly fields?: readonly string[];
  readonly serviceEndpoints?: JsonObject[];
}[] = [
  {
    name: "a correct subnet is not changed",
    properties: { networkSecurityGroup: { id: groupId.toUpperCase() }, serviceEndpoints: fine },
  },
  {
    name: "a subnet without a group and endpoints gets them",
    properties: {},
    fields: [group, endpoints],
    serviceEndpoints: requiredServices.map((service) => ({ service, locations: ["*"] })),
  },
  { name: "a subnet without properties gets them", properties: null, fields: [group, endpoints] },
  {
    name: "a different group is replaced",
    properties: { networkSecurityGroup: { id: `${groupId}-other` }, serviceEndpoints: fine },
    fields: [group],
  },
  {
    name: "a group without an ID is replaced",
    properties: { networkSecurityGroup: {}, serviceEndpoints: fine },
    fields: [group],
  },
  {
    name: "an endpoint in the wrong case, without a state, is there",
    properties: {
      networkSecurityGroup: { id: groupId },
      serviceEndpoints: [{ service: registry.toUpperCase() }, { service: storage }],
    },
  },
  {
    name: "an endpoint that Azure is adding is there",
    properties: {
      networkSecurityGroup: { id: groupId },
      serviceEndpoints: fine.map((each) => ({ ...each, provisioningState: "Updating" })),
    },
  },
  {
    name: "an endpoint that failed is written again in its place, not added",
    properties: {
      networkSecurityGroup: { id: groupId },
      serviceEndpoints: [{ service: registry, locations: ["*"], provisioningState: "Failed" }, fine[1] ?? {}],
    },
    fields: [endpoints],
    serviceEndpoints: [{ service: registry, locations: ["*"], provisioningState: "Failed" }, fine[1] ?? {}],
  },
  {
    name: "duplicates are merged, foreign endpoints are preserved",
    properties: {
      networkSecurityGroup: { id: groupId },
      serviceEndpoints: [
        { service: storage, locations: ["eastus"] },
        { service: "Microsoft.Sql" },
        ...fine.slice(0, 1),
        { service: storage, locations: ["westus"] },
      ],
    },
    fields: [endpoints],
    serviceEndpoints: [
      { service: storage, locations: ["eastus", "westus"] },
      { service: "Microsoft.Sql" },
      ...fine.slice(0, 1),
    ],
  },
];

for (const { name, properties, fields, serviceEndpoints } of cases) {
  test(name, () => {
    const subnet = { name: "s", properties, invention: "kept" };
    const plan = planSubnet(subnet, { groupId, mayReplace: () => true, services: requiredServices });
    assert.deepEqual(plan?.fields, fields);
    if (!plan) return;
    assert.equal(plan.body.invention, "kept");
    const wanted = plan.body.properties as JsonObject;
    assert.equal((wanted.networkSecurityGroup as JsonObject).id, groupId);
    if (serviceEndpoints) assert.deepEqual(wanted.serviceEndpoints, serviceEndpoints);
    const settled = planSubnet(JSON.parse(JSON.stringify(plan.body).replaceAll("Failed", "Succeeded")), {
      groupId,
      mayReplace: () => true,
      services: requiredServices,
    });
    assert.equal(settled, undefined, "nothing is left to do");
  });
}

test("without a group and services nothing is changed", () => {
  assert.equal(planSubnet({ properties: {} }, { mayReplace: () => true, services: [] }), undefined);
});

test("a group that must not be replaced is preserved, and endpoints are added", () => {
  const present = `${groupId}-other`;
  const subnet = { properties: { networkSecurityGroup: { id: present } } };
  const wanted = { groupId, mayReplace: (id: string) => id !== present, services: requiredServices };
  const plan = planSubnet(subnet, wanted);
  assert.deepEqual([plan?.fields, plan?.keptGroup], [[endpoints], present]);
  assert.deepEqual(plan?.body.properties, {
    networkSecurityGroup: { id: present },
    serviceEndpoints: requiredServices.map((service) => ({ service, locations: ["*"] })),
  });
  const settled = planSubnet(plan?.body ?? {}, wanted);
  assert.deepEqual([settled?.fields, settled?.keptGroup], [[], present]);
});

test("a subnet with an operation in progress is skipped", () => {
  assert.ok(isUpdating({ properties: { provisioningState: "Updating" } }));
  assert.ok(!isUpdating({ properties: { provisioningState: "Failed" } }));
  assert.ok(!isUpdating({ properties: null }));
});
