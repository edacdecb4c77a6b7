import assert from "node:assert/strict";
import { test } from "node:test";
import type { OpenShiftCluster, Visibility } from "@keelson/model";
import { newCluster } from "@keelson/model/testing";
import {
  internalLoadBalancer,
  outboundIpsOf,
  publicLoadBalancer,
  withOutboundIps,
} from "./load-balancers.ts";

const group = "/subscriptions/11111111-1111-4111-8111-111111111111/resourcegroups/aro-demo";
const address = (name: string) => `${group}/providers/Microsoft.Network/publicIPAddresses/${name}`;

function cluster(visibility: Visibility, outbound: readonly string[]): OpenShiftCluster {
  const base = newCluster({ name: "demo" });
  const networkProfile = {
    ...base.properties.networkProfile,
    loadBalancerProfile: { effectiveOutboundIps: outbound.map((name) => ({ id: address(name) })) },
  };
  const clusterProfile = { ...base.properties.clusterProfile, resourceGroupId: group };
  return {
    ...base,
    properties: {
      ...base.properties,
      infraId: "demo-x1x2x",
      clusterProfile,
      networkProfile,
      apiserverProfile: { visibility },
    },
  };
}

test("the internal load balancer has the rules and probes of the control plane", () => {
  const balancer = internalLoadBalancer(cluster("Private", []));
  assert.deepEqual(
    balancer.probes?.map(({ name, protocol, port, requestPath }) => [name, protocol, port, requestPath]),
    [
      ["api-internal-probe", "Https", 6443, "/readyz"],
      ["sint-probe", "Https", 22623, "/healthz"],
      ["ssh", "Tcp", 22, undefined],
    ],
  );
  assert.deepEqual(
    balancer.loadBalancingRules?.map((rule) => [rule.name, rule.frontendPort, rule.idleTimeoutInMinutes]),
    [
      ["api-internal-v4", 6443, 30],
      ["sint-v4", 22623, 30],
      ["ssh-0", 2200, 30],
      ["ssh-1", 2201, 30],
      ["ssh-2", 2202, 30],
    ],
  );
  assert.deepEqual(
    balancer.frontendIPConfigurations?.map(({ name }) => name),
    ["internal-lb-ip-v4"],
  );
});

test("a public API server has a frontend, a rule and a probe, and its address serves outgoing connections too", () => {
  const balancer = publicLoadBalancer(cluster("Public", ["demo-x1x2x-pip-v4", "u-outbound-pip-v4"]));
  assert.deepEqual(
    balancer.frontendIPConfigurations?.map(({ name }) => name),
    ["public-lb-ip-v4", "u-outbound-pip-v4"],
  );
  assert.deepEqual(
    balancer.loadBalancingRules?.map(({ name }) => name),
    ["api-internal-v4"],
  );
  assert.deepEqual(outboundIpsOf(balancer), [address("demo-x1x2x-pip-v4"), address("u-outbound-pip-v4")]);
});

test("a private API server leaves only the outbound rule", () => {
  const balancer = publicLoadBalancer(cluster("Private", ["u-outbound-pip-v4"]));
  assert.deepEqual(
    balancer.frontendIPConfigurations?.map(({ name }) => name),
    ["u-outbound-pip-v4"],
  );
  assert.deepEqual(balancer.loadBalancingRules, []);
  assert.deepEqual(
    balancer.outboundRules?.map(({ name }) => name),
    ["outbound-rule-v4"],
  );
});

test("other addresses replace those of the outbound rule, and the cluster's own frontends stay", () => {
  const before = publicLoadBalancer(cluster("Public", ["demo-x1x2x-pip-v4", "a-outbound-pip-v4"]));
  const service = { name: "service", publicIPAddress: { id: address("service") } };
  const live = { ...before, frontendIPConfigurations: [...(before.frontendIPConfigurations ?? []), service] };
  const wanted = [address("demo-x1x2x-pip-v4"), address("b-outbound-pip-v4")];
  const changed = withOutboundIps(cluster("Public", []), live, wanted);
  assert.deepEqual(
    changed.frontendIPConfigurations?.map(({ name }) => name),
    ["public-lb-ip-v4", "service", "b-outbound-pip-v4"],
  );
  assert.deepEqual(outboundIpsOf(changed), wanted);
});
