import assert from "node:assert/strict";
import { test } from "node:test";
import { Secret } from "@keelson/base";
import { resources } from "@keelson/kube";
import { newCluster } from "@keelson/model/testing";
import { memoryCluster, specOf } from "../testing/memory-cluster.ts";
import { disableOperatorHubSources, disableSamples, updateConsoleBranding } from "./cluster-settings.ts";

const profile = newCluster({ name: "demo" }).properties.clusterProfile;

const singleton = { name: "cluster" };
const { signal } = new AbortController();

test("the console gets the Azure branding and keeps its other settings", async () => {
  const { context, kube } = memoryCluster();
  const spec = { customization: { brand: "ocp", customProductName: "mine" } };
  kube.put(resources.operatorConsoles, { metadata: singleton, spec });
  await updateConsoleBranding(context);
  assert.deepEqual(await specOf(kube, resources.operatorConsoles, "customization"), {
    brand: "azure",
    customProductName: "mine",
  });
});

test("without a pull secret there are no samples and no catalogues but the customer's own", async () => {
  const { context, kube } = memoryCluster();
  const own = { name: "own", disabled: false };
  kube.put(resources.operatorHubs, {
    metadata: singleton,
    spec: { sources: [{ name: "redhat-operators" }, own] },
  });
  await disableSamples(context);
  await disableOperatorHubSources(context);
  await disableOperatorHubSources(context);
  assert.equal(await specOf(kube, resources.samplesConfigs, "managementState"), "Removed");
  assert.deepEqual(await specOf(kube, resources.operatorHubs, "sources"), [
    ...["certified-operators", "community-operators", "redhat-marketplace", "redhat-operators"].map(
      (name) => ({
        name,
        disabled: true,
      }),
    ),
    own,
  ]);
});

test("with a pull secret both stay as they are", async () => {
  const { context, kube } = memoryCluster({
    clusterProfile: { ...profile, pullSecret: new Secret('{"auths":{}}') },
  });
  kube.put(resources.operatorHubs, { metadata: singleton, spec: {} });
  await disableSamples(context);
  await disableOperatorHubSources(context);
  assert.equal(await kube.find(resources.samplesConfigs, singleton, signal), undefined);
  assert.equal(await specOf(kube, resources.operatorHubs, "sources"), undefined);
});
