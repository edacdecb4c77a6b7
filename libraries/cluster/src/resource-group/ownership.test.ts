import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { CloudError } from "@keelson/arm";
import { isNotFound } from "@keelson/azure";
import { withProperties } from "@keelson/model";
import { newCluster } from "@keelson/model/testing";
import { ensureResourceGroup } from "../managed-group/resource-group.ts";
import { attachNSGs, restoreNSGs } from "../network/attach-subnets.ts";
import { createDNS, deleteDNS, setApiAddress, setRouterAddress } from "../network/dns.ts";
import { networkSecurityGroup } from "../network/network-security-group.ts";
import { deleteLevel, deleteResourceGroup } from "../removal/delete-resources.ts";
import { contextOf } from "../testing/context.ts";
import { signal } from "../testing/store.ts";
import { domain, location, networkGroup, serviceGroup, startWorld, type World } from "../testing/world.ts";

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world[Symbol.asyncDispose]());

const cluster = (name: string) => newCluster({ name, subscriptionId: world.subscriptionId });

function record(name: string) {
  return world.azure.dns.recordSets.get(serviceGroup, domain, name, "A", world.azure.call(signal));
}

test("a domain belongs to the cluster that took it first, and only that one gives it back", async () => {
  const first = contextOf(world, cluster("first"));
  const other = cluster("other");
  const second = contextOf(
    world,
    withProperties(other, { clusterProfile: { ...other.properties.clusterProfile, domain: "first" } }),
  );
  await createDNS(first);
  await createDNS(first);
  await setApiAddress(first, "192.0.2.1");
  await assert.rejects(createDNS(second), (error) => {
    assert.ok(error instanceof CloudError);
    assert.deepEqual(error.body, {
      code: "DuplicateDomain",
      message: "The provided domain 'first' is already in use by a cluster.",
    });
    return true;
  });
  await deleteDNS(second);
  assert.equal((await record("api.first")).aRecords?.[0]?.ipv4Address, "192.0.2.1");
  await deleteDNS(first);
  await assert.rejects(record("api.first"), isNotFound);
});

test("remaining records of a domain are deleted with its cluster, and a later owner keeps its records", async () => {
  const first = contextOf(world, cluster("lost"));
  await createDNS(first);
  await setApiAddress(first, "192.0.2.1");
  await setRouterAddress(first, "192.0.2.2");
  const { recordSets } = world.azure.dns;
  await recordSets.delete(serviceGroup, domain, "api.lost", "A", world.azure.call(signal));
  await deleteDNS(first);
  await assert.rejects(record("*.apps.lost"), isNotFound);

  const other = cluster("taker");
  const clusterProfile = { ...other.properties.clusterProfile, domain: "lost" };
  const taker = contextOf(world, withProperties(other, { clusterProfile }));
  await createDNS(taker);
  await setRouterAddress(taker, "192.0.2.3");
  await assert.rejects(setRouterAddress(first, "192.0.2.2"), /already in use by a cluster/);
  await deleteDNS(first);
  assert.equal((await record("*.apps.lost")).aRecords?.[0]?.ipv4Address, "192.0.2.3");
  assert.ok(await record("api.lost"));
  await deleteDNS(taker);
});

test("a customer's own domain is left to the customer", async () => {
  const own = cluster("own");
  const clusterProfile = { ...own.properties.clusterProfile, domain: "own.contoso.com" };
  const context = contextOf(world, withProperties(own, { clusterProfile }));
  await createDNS(context);
  await setApiAddress(context, "192.0.2.1");
  await setRouterAddress(context, "192.0.2.2");
  for (const name of ["api", "*.apps"]) {
    await assert.rejects(record(`${name}.own.contoso.com`), isNotFound);
    await assert.rejects(record(`${name}.own`), isNotFound);
  }
});

test("a group with a different manager is not changed, and survives the cluster's deletion", async () => {
  const { azure } = world;
  await azure.resources.resourceGroups.createOrUpdate("aro-foreign", { location }, azure.call(signal));
  const context = contextOf(world, cluster("foreign"));
  const { resourceGroupId } = context.cluster.properties.clusterProfile;
  await assert.rejects(ensureResourceGroup(context), (error) => {
    assert.ok(error instanceof CloudError);
    assert.deepEqual(error.body, {
      code: "ClusterResourceGroupAlreadyExists",
      message: `Resource group ${resourceGroupId} must not already exist.`,
    });
    return true;
  });
  await deleteLevel(0)(context);
  await deleteResourceGroup(context);
  const group = await azure.resources.resourceGroups.get("aro-foreign", azure.call(signal));
  assert.equal(group.managedBy, undefined);
});

test("a group of the cluster's own keeps its tags when it is ensured again", async () => {
  const { azure } = world;
  const context = contextOf(world, cluster("mine"));
  await ensureResourceGroup(context);
  const managedBy = context.cluster.id;
  const tags = { cost: "42" };
  await azure.resources.resourceGroups.createOrUpdate(
    "aro-mine",
    { location, managedBy, tags },
    azure.call(signal),
  );
  await ensureResourceGroup(context);
  const group = await azure.resources.resourceGroups.get("aro-mine", azure.call(signal));
  assert.deepEqual(group.tags, tags);
  assert.equal(group.managedBy, managedBy);
});

test("a network security group goes on the subnets, again where a template removed it, and off them before it is deleted", async () => {
  const { azure } = world;
  const base = newCluster({
    name: "guarded",
    subscriptionId: world.subscriptionId,
    masterSubnetId: await world.subnet("guarded-master", "10.1.0.0/24"),
    workerSubnetId: await world.subnet("guarded-worker", "10.1.1.0/24"),
  });
  const context = contextOf(world, withProperties(base, { infraId: "guarded-x1x2x" }));
  const groupOf = async (name: string) =>
    (await azure.network.subnets.get(networkGroup, "vnet", name, azure.call(signal))).networkSecurityGroup
      ?.id;
  await ensureResourceGroup(context);
  await azure.network.networkSecurityGroups.createOrUpdate(
    "aro-guarded",
    "guarded-x1x2x-nsg",
    networkSecurityGroup(context.cluster),
    azure.call(signal),
  );
  await attachNSGs(context);
  await attachNSGs(context);
  assert.match((await groupOf("guarded-master")) ?? "", /guarded-x1x2x-nsg$/);
  assert.match((await groupOf("guarded-worker")) ?? "", /guarded-x1x2x-nsg$/);
  const type = "Microsoft.Network/virtualNetworks/subnets";
  // Redeploys a network template that does not contain the security group.
  const redeploy = () =>
    azure.network.subnets.createOrUpdate(
      networkGroup,
      "vnet",
      "guarded-master",
      { addressPrefix: "10.1.0.0/24" },
      azure.call(signal),
    );
  await redeploy();
  assert.equal(await groupOf("guarded-master"), undefined);
  await restoreNSGs(context);
  assert.match((await groupOf("guarded-master")) ?? "", /guarded-x1x2x-nsg$/);
  await redeploy();
  const locked = { kind: "refused", type, verb: "write", status: 403, code: "AuthorizationFailed" } as const;
  world.simulatedAzure.change({ faults: { locked } });
  await restoreNSGs(context);
  assert.equal(await groupOf("guarded-master"), undefined);
  world.simulatedAzure.change({ faults: null });
  const { networkProfile } = base.properties;
  const brought = contextOf(
    world,
    withProperties(context.cluster, { networkProfile: { ...networkProfile, preconfiguredNSG: "Enabled" } }),
  );
  await restoreNSGs(brought);
  assert.equal(await groupOf("guarded-master"), undefined);
  await restoreNSGs(context);
  const denied = { kind: "refused", type, verb: "write", status: 403, code: "ScopeLocked" } as const;
  world.simulatedAzure.change({ faults: { denied } });
  await assert.rejects(deleteLevel(1)(context), (error) => {
    assert.ok(error instanceof CloudError);
    assert.equal(error.body.code, "InvalidLinkedSubnet");
    assert.match(error.body.message, /^Failed to update subnet '.*guarded-(master|worker)'\.$/);
    assert.deepEqual(
      error.body.details?.map(({ code }) => code),
      ["ScopeLocked"],
    );
    return true;
  });
  world.simulatedAzure.change({ faults: null });
  await deleteLevel(1)(context);
  assert.equal(await groupOf("guarded-master"), undefined);
  assert.equal(await groupOf("guarded-worker"), undefined);
});
