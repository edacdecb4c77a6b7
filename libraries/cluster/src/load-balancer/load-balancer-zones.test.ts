import assert from "node:assert/strict";
import { test } from "node:test";
import type { LoadBalancer } from "../context/azure-models.ts";
import { nextStage } from "./load-balancer-zones.ts";

const subnet = { id: "/subnet" };
const frontend = { name: "internal-lb-ip-v4", privateIPAllocationMethod: "Dynamic", subnet };
const rules = [{ name: "api-internal-v4", protocol: "Tcp" }];
const wanted: LoadBalancer = { frontendIPConfigurations: [frontend], loadBalancingRules: rules };
const zones = ["1", "2", "3"];
const next = (balancer: LoadBalancer) => nextStage(balancer, wanted, zones, "10.0.0.8");

test("an address becomes zonal in stages, each of which can be the first after a crash", () => {
  const customers = { name: "customer", protocol: "Udp" };
  let balancer: LoadBalancer = {
    frontendIPConfigurations: [{ ...frontend, privateIPAddress: "10.0.0.8" }],
    loadBalancingRules: [...rules, customers],
  };
  const stages: string[][] = [];
  for (;;) {
    const stage = next(balancer);
    if (!stage) break;
    assert.ok((stage.frontendIPConfigurations ?? []).length > 0, "never without an address");
    stages.push((stage.frontendIPConfigurations ?? []).map(({ name = "" }) => name));
    balancer = stage;
  }
  assert.deepEqual(stages, [
    ["internal-lb-ip-v4", "zone-migration-ip"],
    ["zone-migration-ip"],
    ["zone-migration-ip", "internal-lb-ip-v4"],
    ["internal-lb-ip-v4"],
  ]);
  assert.deepEqual(balancer.frontendIPConfigurations, [
    {
      name: "internal-lb-ip-v4",
      privateIPAllocationMethod: "Static",
      privateIPAddress: "10.0.0.8",
      subnet,
      zones,
    },
  ]);
  assert.deepEqual(balancer.loadBalancingRules, [customers, ...rules]);
});

test("an address that is zonal already stays as it is", () => {
  const zonal = { frontendIPConfigurations: [{ ...frontend, zones: ["1"] }], loadBalancingRules: rules };
  assert.equal(next(zonal), undefined);
});
