import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@keelson/base";
import { parentId, sameId } from "../arm/arm-path.ts";
import type { ResourceRecord } from "../arm/resource.ts";
import type { Subscription } from "../arm/subscription.ts";
import { routeToMachine } from "./private-route.ts";

const group = "/subscriptions/s/resourceGroups/g";
const network = `${group}/providers/Microsoft.Network`;
const balancer = `${network}/loadBalancers/internal`;
const frontend = `${balancer}/frontendIPConfigurations/f`;
const pool = (name: string) => `${balancer}/backendAddressPools/${name}`;

function record(id: string, properties: JsonObject): ResourceRecord {
  const [type = "", kind = "", name = ""] = (id.split("/providers/")[1] ?? "").split("/");
  const time = "2026-01-01T00:00:00Z";
  const common = { name, etag: "1", createdAt: time, changedAt: time, hidden: {} };
  return { id, type: `${type}/${kind}`, ...common, body: { properties } };
}

const nic = (name: string, address: string, ...pools: readonly string[]) =>
  record(`${network}/networkInterfaces/${name}`, {
    ipConfigurations: [
      {
        properties: {
          privateIPAddress: address,
          loadBalancerBackendAddressPools: pools.map((id) => ({ id })),
        },
      },
    ],
  });
const machine = (name: string, nicName: string) =>
  record(`${group}/providers/Microsoft.Compute/virtualMachines/${name}`, {
    networkProfile: { networkInterfaces: [{ id: `${network}/networkInterfaces/${nicName}` }] },
  });
const rule = (name: string, frontendPort: number, to: string, from = frontend) => ({
  name,
  properties: {
    frontendPort,
    backendPort: 22,
    frontendIPConfiguration: { id: from },
    backendAddressPool: { id: to },
  },
});

/** Records of a private endpoint at 10.0.1.4. Its private link service forwards SSH to two master machines. */
const whole: readonly ResourceRecord[] = [
  nic("endpoint-nic", "10.0.1.4"),
  record(`${network}/privateEndpoints/endpoint`, {
    networkInterfaces: [{ id: `${network}/networkInterfaces/endpoint-nic` }],
    manualPrivateLinkServiceConnections: [
      { properties: { privateLinkServiceId: `${network}/privateLinkServices/service` } },
    ],
  }),
  record(`${network}/privateLinkServices/service`, {
    loadBalancerFrontendIpConfigurations: [{ id: frontend.toUpperCase() }],
  }),
  record(balancer, {
    loadBalancingRules: [
      rule("other", 2_200, pool("other"), `${balancer}/frontendIPConfigurations/other`),
      rule("ssh-0", 2_200, pool("ssh-0")),
      rule("ssh-1", 2_201, pool("ssh-1")),
      rule("empty", 2_202, pool("ssh-2")),
    ],
  }),
  nic("master-0-nic", "10.0.2.5", pool("ssh-0")),
  nic("master-1-nic", "10.0.2.6", pool("all"), pool("SSH-1")),
  machine("master-0", "master-0-nic"),
  machine("master-1", "master-1-nic"),
  machine("worker-0", "no-nic"),
];

/** Returns a minimal subscription for route lookups. */
function subscriptionOf(records: readonly ResourceRecord[]): Subscription {
  const resources = {
    ofType: (type: string) => records.filter((each) => sameId(each.type, type)),
    find: (id: string) => records.find((each) => sameId(each.id, id)),
    inGroup: (id: string) => records.filter((each) => sameId(each.id.split("/providers/")[0] ?? "", id)),
  };
  return { resources } as unknown as Subscription;
}

test("the address of a private endpoint connects to the machine in the pool of the port's rule", () => {
  const subscription = subscriptionOf(whole);
  for (const [port, name] of [
    [2_200, "master-0"],
    [2_201, "master-1"],
  ] as const) {
    const route = routeToMachine(subscription, "10.0.1.4", port);
    assert.deepEqual([route?.machine.name, route?.port], [name, 22]);
  }
});

test("other addresses, other ports and pools without a machine have no route", () => {
  const subscription = subscriptionOf(whole);
  for (const [address, port] of [
    ["10.0.1.5", 2_200],
    ["10.0.2.5", 22],
    ["10.0.1.4", 22],
    ["10.0.1.4", 2_202],
  ] as const)
    assert.equal(routeToMachine(subscription, address, port), undefined, `${address}:${port}`);
});

test("a route with a missing resource does not exist", () => {
  const parts = whole.filter(({ name }) => !name.startsWith("worker") && !name.startsWith("master-1"));
  for (const missing of parts) {
    const rest = subscriptionOf(whole.filter((each) => each !== missing));
    assert.equal(routeToMachine(rest, "10.0.1.4", 2_200), undefined, missing.id);
  }
  assert.equal(parentId(frontend), balancer);
});
