import assert from "node:assert/strict";
import { test } from "node:test";
import type { WorkerProfile } from "@keelson/model";
import { newCluster } from "@keelson/model/testing";
import { workerProfileOf } from "./worker-profiles.ts";

const cluster = newCluster({ name: "demo", state: "Succeeded" });
const [requested] = cluster.properties.workerProfiles as [WorkerProfile];
const networks = requested.subnetId.slice(0, requested.subnetId.indexOf("/virtualNetworks/"));
const own = /\/resourceGroups\/([^/]+)\/.*\/virtualNetworks\/([^/]+)\//i.exec(requested.subnetId) ?? [];

const keys = `${networks.replace(/Microsoft\.Network.*/, "")}Microsoft.Compute/diskEncryptionSets/keys`;

const cases: { name: string; machine: unknown; shown: Partial<WorkerProfile> }[] = [
  { name: "nothing of its machines", machine: undefined, shown: {} },
  {
    name: "machines as requested, in a different case",
    machine: {
      vmSize: requested.vmSize,
      osDisk: { diskSizeGB: requested.diskSizeGB },
      networkResourceGroup: own[1]?.toUpperCase(),
      vnet: own[2]?.toUpperCase(),
      subnet: "worker",
    },
    shown: {},
  },
  {
    name: "other machines, encrypted",
    machine: {
      vmSize: "Standard_E8s_v3",
      osDisk: { diskSizeGB: 512, managedDisk: { diskEncryptionSet: { id: keys } } },
      securityProfile: { encryptionAtHost: true },
      subnet: "infra",
    },
    shown: {
      vmSize: "Standard_E8s_v3",
      diskSizeGB: 512,
      encryptionAtHost: "Enabled",
      diskEncryptionSetId: keys,
      subnetId: requested.subnetId.replace(/[^/]+$/, "infra"),
    },
  },
  {
    name: "machines in a different network",
    machine: { vnet: "other", subnet: "a" },
    shown: { subnetId: `${networks}/virtualNetworks/other/subnets/a` },
  },
];
for (const id of [
  keys.replace(/subscriptions\/[^/]+/, "subscriptions/22222222-2222-4222-8222-222222222222"),
  keys.replace("diskEncryptionSets", "disks"),
  `${keys}/../../x#`,
  `${keys}?x`,
])
  cases.push({
    name: `the disk encryption set ${id}`,
    machine: { osDisk: { managedDisk: { diskEncryptionSet: { id } } } },
    shown: {},
  });
for (const subnet of ["..", "a/b", "a#b"])
  cases.push({ name: `the subnet ${subnet}`, machine: { subnet }, shown: {} });
for (const { name, machine, shown } of cases) {
  test(`a MachineSet with ${name} is shown so`, () => {
    const template = { spec: { providerSpec: { value: machine } } };
    const set = { apiVersion: "v1", kind: "MachineSet", metadata: { name: "set" }, spec: { template } };
    const usual = { ...requested, name: "set", count: 1, encryptionAtHost: "Disabled" };
    assert.deepEqual(workerProfileOf(cluster, set), { ...usual, ...shown });
  });
}
