import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { managedGroupOf, withProperties } from "@keelson/model";
import { newCluster } from "@keelson/model/testing";
import { contextOf } from "../testing/context.ts";
import { signal } from "../testing/store.ts";
import { location, startWorld, type World } from "../testing/world.ts";
import { clusterSubnetIds } from "./cluster-subnets.ts";

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world[Symbol.asyncDispose]());

test("subnets of the request and of machines in Azure count, and subnets that only the cluster reports do not", async () => {
  const masterSubnetId = await world.subnet("master", "10.0.0.0/24");
  const workerSubnetId = await world.subnet("worker", "10.0.1.0/24");
  const movedId = await world.subnet("moved", "10.0.2.0/24");
  const foreignId = await world.subnet("foreign", "10.0.3.0/24");
  const { subscriptionId, azure } = world;
  const requested = newCluster({ name: "demo", subscriptionId, masterSubnetId, workerSubnetId });
  const [profile] = requested.properties.workerProfiles;
  assert.ok(profile);
  const cluster = withProperties(requested, { workerProfilesStatus: [{ ...profile, subnetId: foreignId }] });
  const context = contextOf(world, cluster);
  assert.deepEqual(
    await clusterSubnetIds(context),
    [masterSubnetId, workerSubnetId],
    "before its group exists",
  );
  const group = managedGroupOf(cluster);
  await azure.resources.resourceGroups.createOrUpdate(group, { location }, azure.call(signal));
  for (const [name, id] of [
    ["worker-nic", workerSubnetId.toUpperCase()],
    ["moved-nic", movedId],
  ] as const)
    await azure.network.networkInterfaces.createOrUpdate(
      group,
      name,
      { location, ipConfigurations: [{ name: "pipConfig", subnet: { id } }] },
      azure.call(signal),
    );
  assert.deepEqual(await clusterSubnetIds(context), [masterSubnetId, workerSubnetId, movedId]);
});
