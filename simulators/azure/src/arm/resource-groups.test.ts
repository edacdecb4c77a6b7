import assert from "node:assert/strict";
import { test } from "node:test";
import { azureErrorCode, isNotFound, statusOf } from "@keelson/azure";
import { location, startTestAzure, subscriptionId } from "../testing/test-azure.ts";

const signal = AbortSignal.timeout(900_000);

test("a group is created, found in any case, patched, and deleted with all its resources", async () => {
  await using azure = await startTestAzure();
  const { clients } = azure;
  const call = clients.call(signal);
  const groups = clients.resources.resourceGroups;
  const created = await groups.createOrUpdate(
    "My-Group",
    { location: "East US", managedBy: "/a/b", tags: { a: "1" } },
    call,
  );
  assert.equal(created.id, `/subscriptions/${subscriptionId}/resourceGroups/My-Group`);
  assert.equal(created.location, location);
  assert.equal(created.managedBy, "/a/b");
  assert.equal((await groups.get("MY-GROUP", call)).name, "My-Group");
  assert.equal((await groups.checkExistence("my-group", call)).body, true);
  assert.deepEqual((await groups.update("my-group", { tags: { b: "2" } }, call)).tags, { b: "2" });
  assert.equal((await Array.fromAsync(groups.list(call))).length, 1);
  const network = { location, addressSpace: { addressPrefixes: ["10.0.0.0/16"] } };
  await clients.network.virtualNetworks.createOrUpdate("my-group", "vnet", network, call);
  await groups.delete("my-group", call).pollUntilDone(call);
  await assert.rejects(groups.get("my-group", call), isNotFound);
  assert.equal((await groups.checkExistence("my-group", call)).body, false);
  await groups.createOrUpdate("my-group", { location }, call);
  assert.deepEqual(await Array.fromAsync(clients.network.virtualNetworks.list("my-group", call)), []);
});

test("HEAD distinguishes existing and missing groups without a body", async () => {
  await using azure = await startTestAzure();
  const { clients } = azure;
  const call = clients.call(signal);
  await clients.resources.resourceGroups.createOrUpdate("g", { location }, call);
  const subnets = [{ name: "s", addressPrefix: "10.0.0.0/24" }];
  const network = { location, addressSpace: { addressPrefixes: ["10.0.0.0/16"] }, subnets };
  const { id = "" } = await clients.network.virtualNetworks.createOrUpdate("g", "vnet", network, call);
  const has = async (path: string) =>
    (await clients.resources.resources.checkExistenceById(path, "2024-05-01", call)).body;
  assert.deepEqual([await has(id), await has(`${id}/subnets/s`)], [true, true]);
  assert.deepEqual([await has(`${id}x`), await has(`${id}/subnets/t`)], [false, false]);
});

test("a group cannot move, and rejects new resources during its deletion", async () => {
  await using azure = await startTestAzure({ timings: { groupDeleteMs: 300 } });
  const { clients } = azure;
  const call = clients.call(signal);
  const groups = clients.resources.resourceGroups;
  await groups.createOrUpdate("g", { location }, call);
  await assert.rejects(groups.createOrUpdate("g", { location: "westeurope" }, call), (error) => {
    assert.equal(azureErrorCode(error), "InvalidResourceGroupLocation");
    assert.equal(statusOf(error), 409);
    return true;
  });
  const deletion = groups.delete("g", call);
  await deletion.submitted();
  assert.equal((await groups.get("g", call)).properties?.provisioningState, "Deleting");
  const network = { location, addressSpace: { addressPrefixes: ["10.0.0.0/16"] } };
  await assert.rejects(
    clients.network.virtualNetworks.createOrUpdate("g", "vnet", network, call),
    (error) => {
      assert.equal(azureErrorCode(error), "ResourceGroupBeingDeleted");
      return true;
    },
  );
  await deletion.pollUntilDone(call);
  await assert.rejects(groups.get("g", call), isNotFound);
});

test("a group with a subnet that a second group uses is not deleted", async () => {
  await using azure = await startTestAzure();
  const { clients } = azure;
  const call = clients.call(signal);
  for (const name of ["a", "b"])
    await clients.resources.resourceGroups.createOrUpdate(name, { location }, call);
  const vnet = await clients.network.virtualNetworks.createOrUpdate(
    "a",
    "vnet",
    {
      location,
      addressSpace: { addressPrefixes: ["10.0.0.0/16"] },
      subnets: [{ name: "s", addressPrefix: "10.0.0.0/24" }],
    },
    call,
  );
  const subnet = { id: vnet.subnets?.[0]?.id ?? "" };
  await clients.network.networkInterfaces.createOrUpdate(
    "b",
    "nic",
    { location, ipConfigurations: [{ name: "ip", subnet }] },
    call,
  );
  await assert.rejects(clients.resources.resourceGroups.delete("a", call), (error) => {
    assert.equal(azureErrorCode(error), "ResourceGroupDeletionBlocked");
    return true;
  });
  await clients.resources.resourceGroups.delete("b", call).pollUntilDone(call);
  await clients.resources.resourceGroups.delete("a", call).pollUntilDone(call);
});
