import assert from "node:assert/strict";
import { test } from "node:test";
import { masterIndexOf, withPools, withSsh } from "./fix-ssh.ts";

const infraId = "demo-x1x2x";
const pool = (balancer: string, name: string) =>
  `/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/loadBalancers/${balancer}/backendAddressPools/${name}`;

for (const [name, index] of [
  [`${infraId}-master0-nic`, 0],
  [`${infraId}-master-2-nic`, 2],
  [`${infraId}-master-ab1cd-1-nic`, 1],
  [`${infraId}-master3-nic`, undefined],
  [`${infraId}-worker-eastus1-nic`, undefined],
  [`${infraId}-bootstrap-nic`, undefined],
  ["other-master0-nic", undefined],
  [`${infraId}-pls.nic.0-master0`, undefined],
] as const) {
  test(`the network interface ${name} is ${index === undefined ? "no master's" : `of master ${index}`}`, () => {
    assert.equal(masterIndexOf(name, infraId), index);
  });
}

test("a load balancer gets back the parts for SSH that it lacks, and keeps all others", () => {
  const wanted = {
    backendAddressPools: [{ name: "demo" }, { name: "ssh-0" }, { name: "ssh-1" }],
    loadBalancingRules: [
      { name: "api-internal-v4", protocol: "Tcp" },
      { name: "ssh-0", protocol: "Tcp" },
    ],
    probes: [{ name: "ssh", protocol: "Tcp", port: 22 }],
  };
  const live = {
    backendAddressPools: [{ name: "SSH-0" }, { name: "customer" }],
    loadBalancingRules: [{ name: "own", protocol: "Udp" }],
  };
  const names = (list: readonly { readonly name?: string }[] | undefined) => list?.map(({ name }) => name);
  const repaired = withSsh(live, wanted);
  assert.deepEqual(names(repaired.backendAddressPools), ["SSH-0", "customer", "ssh-1"]);
  assert.deepEqual(names(repaired.loadBalancingRules), ["own", "ssh-0"]);
  assert.deepEqual(names(repaired.probes), ["ssh"]);
  assert.equal(withSsh(repaired, wanted), repaired);
});

test("a network interface joins its pools, leaves other masters', and stays in its customer's", () => {
  const api = pool("demo-internal", "demo");
  const ssh = pool("demo-internal", "ssh-1");
  const own = pool("customer", "own");
  assert.deepEqual(withPools([own, pool("demo-internal", "ssh-0")], [api, ssh]), [own, api, ssh]);
  assert.equal(withPools([ssh.toUpperCase(), own, api], [api, ssh]), undefined);
  assert.deepEqual(withPools([api, ssh, pool("demo-internal", "ssh-2")], [api, ssh]), [api, ssh]);
});
