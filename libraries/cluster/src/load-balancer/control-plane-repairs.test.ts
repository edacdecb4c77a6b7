/** Uses the simulated Azure to test repairs of the network path to the masters. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { isNotFound } from "@keelson/azure";
import { withProperties } from "@keelson/model";
import { newCluster } from "@keelson/model/testing";
import { ensureMachine } from "@keelson/sim-openshift";
import type { ClusterContext } from "../context/context.ts";
import { ensureResourceGroup } from "../managed-group/resource-group.ts";
import { populateDatabaseIntIP } from "../network/addresses.ts";
import { contextOf } from "../testing/context.ts";
import { signal } from "../testing/store.ts";
import { startWorld, type World } from "../testing/world.ts";
import { fixSSH } from "./fix-ssh.ts";
import { migrateInternalLoadBalancerZones } from "./load-balancer-zones.ts";
import { internalLoadBalancer } from "./load-balancers.ts";

const infraId = "demo-x1x2x";
const group = "aro-demo";
const internal = `${infraId}-internal`;
const ports = ["api-internal-v4", "sint-v4", "ssh-0", "ssh-1", "ssh-2"];

let world: World;
let context: ClusterContext;
before(async () => {
  world = await startWorld();
  const { subscriptionId } = world;
  const masterSubnetId = await world.subnet("master", "10.0.0.0/24");
  const base = newCluster({ name: "demo", subscriptionId, masterSubnetId });
  // This cluster has no outbound rules, so it needs no public load balancer.
  const networkProfile = { ...base.properties.networkProfile, outboundType: "UserDefinedRouting" } as const;
  context = contextOf(world, withProperties(base, { infraId, networkProfile }));
  await ensureResourceGroup(context);
  await world.azure.network.loadBalancers.createOrUpdate(
    group,
    internal,
    internalLoadBalancer(context.cluster),
    options(),
  );
  for (const index of [0, 1, 2]) {
    await ensureMachine(context, {
      vmName: `${infraId}-master-${index}`,
      nicName: `${infraId}-master${index}-nic`,
      extraPools: [`ssh-${index}`],
      zone: `${index + 1}`,
      ignition: "{}",
    });
  }
});
after(() => world[Symbol.asyncDispose]());

const options = () => world.azure.call(signal);
const balancer = () => world.azure.network.loadBalancers.get(group, internal, options());
const nic = (name: string) => world.azure.network.networkInterfaces.get(group, name, options());
const namesOf = (list: readonly { readonly name?: string }[] | undefined) =>
  (list ?? []).map(({ name }) => name).sort();

test("the internal address is moved into the masters' zones, and keeps its number and its rules", async () => {
  const [before] = (await balancer()).frontendIPConfigurations ?? [];
  assert.equal(before?.zones, undefined);
  assert.ok(before?.privateIPAddress);
  await populateDatabaseIntIP(context);
  for (let run = 1; run <= 2; run++) {
    await migrateInternalLoadBalancerZones(context);
    const { frontendIPConfigurations = [], loadBalancingRules } = await balancer();
    assert.equal(frontendIPConfigurations.length, 1);
    const [address] = frontendIPConfigurations;
    assert.equal(address?.name, "internal-lb-ip-v4");
    assert.equal(address?.privateIPAddress, before.privateIPAddress);
    assert.deepEqual(address?.zones, ["1", "2", "3"]);
    assert.deepEqual(namesOf(loadBalancingRules), ports);
  }
  assert.deepEqual(context.cluster.properties.zones, ["1", "2", "3"]);
});

test("SSH reaches each master again, and a replaced master's network interface is removed", async () => {
  const { network } = world.azure;
  const wanted = await nic(`${infraId}-master1-nic`);
  const poolsOf = async (name: string) =>
    namesOf(
      (await nic(name)).ipConfigurations?.[0]?.loadBalancerBackendAddressPools?.map(({ id = "" }) => ({
        name: id.slice(id.lastIndexOf("/") + 1),
      })),
    );
  const [ipConfiguration] = wanted.ipConfigurations ?? [];
  assert.ok(ipConfiguration);
  const wrong = { id: `${(await balancer()).id}/backendAddressPools/ssh-0` };
  await network.networkInterfaces.createOrUpdate(
    group,
    `${infraId}-master1-nic`,
    { ...wanted, ipConfigurations: [{ ...ipConfiguration, loadBalancerBackendAddressPools: [wrong] }] },
    options(),
  );
  const { id: _id, virtualMachine: _machine, ...orphan } = wanted;
  const ownAddress = { name: "pipConfig", subnet: { id: ipConfiguration.subnet?.id ?? "" } };
  await network.networkInterfaces.createOrUpdate(
    group,
    `${infraId}-master-ab1cd-2-nic`,
    { ...orphan, ipConfigurations: [ownAddress] },
    options(),
  );
  const live = await balancer();
  const isApi = ({ name = "" }) => !name.startsWith("ssh");
  await network.loadBalancers.createOrUpdate(
    group,
    internal,
    { ...live, loadBalancingRules: live.loadBalancingRules?.filter(isApi) ?? [] },
    options(),
  );
  await fixSSH(context);
  assert.deepEqual(namesOf((await balancer()).loadBalancingRules), ports);
  assert.deepEqual(await poolsOf(`${infraId}-master1-nic`), [infraId, "ssh-1"]);
  assert.deepEqual(await poolsOf(`${infraId}-master0-nic`), [infraId, "ssh-0"]);
  await assert.rejects(nic(`${infraId}-master-ab1cd-2-nic`), isNotFound);
});
