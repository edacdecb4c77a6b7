import assert from "node:assert/strict";
import { test } from "node:test";
import { valueAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import { newCluster } from "@keelson/model/testing";
import { memoryCluster } from "../testing/memory-cluster.ts";
import { configureDefaultStorageClass } from "./storage-classes.ts";

const profile = newCluster({ name: "demo" }).properties.clusterProfile;

const { signal } = new AbortController();

for (const [version, standard, provisioner] of [
  ["4.19.24", "managed-csi", "disk.csi.azure.com"],
  ["4.10.55", "managed-premium", "kubernetes.io/azure-disk"],
] as const) {
  test(`volumes of ${version} are encrypted with the customer's key by default`, async () => {
    const diskEncryptionSetId = "/subscriptions/s/key";
    const [worker] = newCluster({ name: "demo" }).properties.workerProfiles;
    assert.ok(worker);
    const workerProfiles = [{ ...worker, diskEncryptionSetId }];
    const { context, kube } = memoryCluster({ workerProfiles, clusterProfile: { ...profile, version } });
    kube.put(resources.storageClasses, { metadata: { name: standard } });
    await configureDefaultStorageClass(context);
    await configureDefaultStorageClass(context);
    const isDefault = "storageclass.kubernetes.io/is-default-class";
    const before = await kube.get(resources.storageClasses, { name: standard }, signal);
    assert.equal(before.metadata.annotations?.[isDefault], "false");
    const made = await kube.get(resources.storageClasses, { name: `${standard}-encrypted-cmk` }, signal);
    assert.equal(made.metadata.annotations?.[isDefault], "true");
    assert.equal(made.provisioner, provisioner);
    assert.equal(valueAt(made, "parameters", "diskEncryptionSetID"), diskEncryptionSetId);
  });
}
