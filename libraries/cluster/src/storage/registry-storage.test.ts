import assert from "node:assert/strict";
import { test } from "node:test";
import { resources } from "@keelson/kube";
import { memoryCluster } from "../testing/memory-cluster.ts";
import { populateRegistryStorageAccountName } from "./registry-storage.ts";

const singleton = { name: "cluster" };

test("an old cluster is asked where its registry keeps images", async () => {
  const { context, kube } = memoryCluster();
  await populateRegistryStorageAccountName(context);
  assert.equal(context.cluster.properties.imageRegistryStorageAccountName, undefined);
  const spec = { storage: { azure: { accountName: "imageregistryold" } } };
  kube.put(resources.imageRegistryConfigs, { metadata: singleton, spec });
  await populateRegistryStorageAccountName(context);
  assert.equal(context.cluster.properties.imageRegistryStorageAccountName, "imageregistryold");
});
