import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { ComputeManagementClient, Disk } from "@azure/arm-compute";
import { makeGroup, refusal, testLifeCycles } from "../testing/sdk.ts";
import { location, startTestAzure, subscriptionId, type TestAzure } from "../testing/test-azure.ts";

let azure: TestAzure;
let compute: ComputeManagementClient;
const provider = `/subscriptions/${subscriptionId}/resourceGroups/g/providers`;
const nic = { id: `${provider}/Microsoft.Network/networkInterfaces/nic` };
const disk = `${provider}/Microsoft.Compute/disks/base`;

const named = ["g", "x"] as const;
const empty = { location, creationData: { createOption: "Empty" as const }, diskSizeGB: 64 };
const image = {
  location,
  osType: "Linux" as const,
  osState: "Generalized" as const,
  identifier: { publisher: "p", offer: "o", sku: "s" },
};
const version = { location, storageProfile: { source: { id: disk } } };
const machine = {
  location,
  hardwareProfile: { vmSize: "Standard_D8s_v5" },
  networkProfile: { networkInterfaces: [nic] },
};

before(async () => {
  azure = await startTestAzure();
  ({ compute } = azure.clients);
  await makeGroup(azure, "g");
  const { network } = azure.clients;
  await network.virtualNetworks.createOrUpdate("g", "vnet", {
    location,
    addressSpace: { addressPrefixes: ["10.0.0.0/16"] },
    subnets: [{ name: "s", addressPrefix: "10.0.0.0/24" }],
  });
  const subnet = { id: `${provider}/Microsoft.Network/virtualNetworks/vnet/subnets/s` };
  await network.networkInterfaces.createOrUpdate("g", "nic", {
    location,
    ipConfigurations: [{ name: "ip", subnet }],
  });
  await compute.disks.createOrUpdate("g", "base", empty);
  await compute.galleries.createOrUpdate("g", "base", { location });
  await compute.galleryImages.createOrUpdate("g", "base", "base", image);
});
after(() => azure[Symbol.asyncDispose]());

testLifeCycles([
  {
    name: "virtualMachines",
    create: () => compute.virtualMachines.createOrUpdate(...named, machine),
    get: () => compute.virtualMachines.get(...named),
    list: () => compute.virtualMachines.list("g"),
    remove: () => compute.virtualMachines.delete(...named),
  },
  {
    name: "disks",
    create: () => compute.disks.createOrUpdate(...named, empty),
    get: () => compute.disks.get(...named),
    list: () => compute.disks.listByResourceGroup("g"),
    remove: () => compute.disks.delete(...named),
  },
  {
    name: "snapshots",
    create: () =>
      compute.snapshots.createOrUpdate(...named, {
        location,
        creationData: { createOption: "Copy", sourceResourceId: disk },
      }),
    get: () => compute.snapshots.get(...named),
    list: () => compute.snapshots.list(),
    remove: () => compute.snapshots.delete(...named),
  },
  {
    name: "diskEncryptionSets",
    create: () =>
      compute.diskEncryptionSets.createOrUpdate(...named, {
        location,
        activeKey: { keyUrl: "https://v.vault.azure.net/keys/k/1" },
      }),
    get: () => compute.diskEncryptionSets.get(...named),
    list: () => compute.diskEncryptionSets.listByResourceGroup("g"),
    remove: () => compute.diskEncryptionSets.delete(...named),
  },
  {
    name: "availabilitySets",
    create: () => compute.availabilitySets.createOrUpdate(...named, { location, sku: { name: "Aligned" } }),
    get: () => compute.availabilitySets.get(...named),
    list: () => compute.availabilitySets.list("g"),
    remove: () => compute.availabilitySets.delete(...named),
  },
  {
    name: "galleries",
    create: () => compute.galleries.createOrUpdate(...named, { location }),
    get: () => compute.galleries.get(...named),
    list: () => compute.galleries.list(),
    remove: () => compute.galleries.delete(...named),
  },
  {
    name: "galleries/images",
    create: () =>
      compute.galleryImages.createOrUpdate("g", "base", "x", {
        ...image,
        identifier: { ...image.identifier, sku: "x" },
      }),
    get: () => compute.galleryImages.get("g", "base", "x"),
    list: () => compute.galleryImages.listByGallery("g", "base"),
    remove: () => compute.galleryImages.delete("g", "base", "x"),
  },
  {
    name: "galleries/images/versions",
    create: () => compute.galleryImageVersions.createOrUpdate("g", "base", "base", "1.0.0", version),
    get: () => compute.galleryImageVersions.get("g", "base", "base", "1.0.0"),
    list: () => compute.galleryImageVersions.listByGalleryImage("g", "base", "base"),
    remove: () => compute.galleryImageVersions.delete("g", "base", "base", "1.0.0"),
  },
]);

test("a gallery is deletable after its images, an image after its versions", async () => {
  await compute.galleries.createOrUpdate("g", "full", { location });
  await compute.galleryImages.createOrUpdate("g", "full", "i", image);
  const made = await compute.galleryImageVersions.createOrUpdate("g", "full", "i", "1.2.3", version);
  assert.equal(made.publishingProfile?.targetRegions?.[0]?.name, location);
  const blocked = refusal(409, "CannotDeleteResource");
  await assert.rejects(compute.galleries.delete("g", "full").pollUntilDone(), blocked);
  await assert.rejects(compute.galleryImages.delete("g", "full", "i").pollUntilDone(), blocked);
  await assert.rejects(
    compute.galleryImages.createOrUpdate("g", "full", "twin", image).pollUntilDone(),
    refusal(409, "Conflict"),
  );
  await assert.rejects(
    compute.galleryImageVersions.createOrUpdate("g", "full", "i", "latest", version).pollUntilDone(),
    refusal(400, "InvalidResourceName"),
  );
  await compute.galleryImageVersions.delete("g", "full", "i", "1.2.3");
  await compute.galleryImages.delete("g", "full", "i");
  await compute.galleries.delete("g", "full");
});

test("a disk requires a source", async () => {
  await assert.rejects(
    compute.disks.createOrUpdate("g", "void", { location, diskSizeGB: 8 } as Disk).pollUntilDone(),
    refusal(400, "InvalidParameter"),
  );
});

test("a snapshot is as large as its disk, which must be there", async () => {
  const creationData = { createOption: "Copy" as const, sourceResourceId: disk };
  const made = await compute.snapshots.createOrUpdate("g", "copy", { location, creationData });
  assert.equal(made.diskSizeGB, 64);
  await assert.rejects(
    compute.snapshots
      .createOrUpdate("g", "lost", {
        location,
        creationData: { ...creationData, sourceResourceId: `${disk}2` },
      })
      .pollUntilDone(),
    refusal(400, "ResourceNotFound"),
  );
});

test("an availability set lists its machines and is deletable after them", async () => {
  const set = await compute.availabilitySets.createOrUpdate("g", "set", {
    location,
    platformFaultDomainCount: 3,
  });
  const made = await compute.virtualMachines.createOrUpdate("g", "member", {
    ...machine,
    availabilitySet: { id: set.id ?? "" },
  });
  assert.deepEqual((await compute.availabilitySets.get("g", "set")).virtualMachines, [{ id: made.id }]);
  await assert.rejects(compute.availabilitySets.delete("g", "set"), refusal(409, "OperationNotAllowed"));
  await assert.rejects(
    compute.availabilitySets.createOrUpdate("g", "set", { location, platformFaultDomainCount: 2 }),
    refusal(400, "InvalidParameter"),
  );
  await compute.virtualMachines.delete("g", "member");
  await compute.availabilitySets.delete("g", "set");
});
