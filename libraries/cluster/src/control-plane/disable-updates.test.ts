import assert from "node:assert/strict";
import { test } from "node:test";
import { resources } from "@keelson/kube";
import { withProperties } from "@keelson/model";
import { memoryCluster } from "../testing/memory-cluster.ts";
import { disableUpdates } from "./cluster-operators.ts";

const { signal } = new AbortController();

test("updates come from nowhere, and what Hive has installed knows where its release was published", async () => {
  const { context, kube } = memoryCluster();
  const version = { name: "version" };
  kube.put(resources.clusterVersions, {
    metadata: version,
    spec: { clusterID: "c", upstream: "https://updates.example", channel: "stable" },
  });
  await disableUpdates(context);
  const spec = async () => (await kube.get(resources.clusterVersions, version, signal)).spec;
  assert.deepEqual(await spec(), { clusterID: "c" });
  await context.update((cluster) => withProperties(cluster, { hiveProfile: { createdByHive: true } }));
  const mirrored = { openShiftPullspec: "acr.example/ocp/release:4.19.24", installerPullspec: "i" };
  const registry = { resourceId: "/acr", domain: "acr.example" };
  await disableUpdates({
    ...context,
    cluster: context.cluster,
    release: async () => mirrored,
    environment: { ...context.environment, registry },
  });
  assert.deepEqual(await spec(), {
    clusterID: "c",
    desiredUpdate: { version: "4.19.24", image: "quay.io/ocp/release:4.19.24" },
  });
});
