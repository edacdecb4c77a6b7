import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ClusterClient, KubeObject } from "@keelson/apiserver";
import { stringAt, valueAt } from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { ApiWorld } from "../../apis/testing/api-world.ts";
import { conditionOf } from "../../base/conditions.ts";
import { resources } from "../../base/resources.ts";
import { ClusterPayload } from "../../payload/cluster-payload.ts";
import type { ReleaseManifest } from "../../payload/release-manifest.ts";
import { clusterVersion } from "../cluster-version/controller.ts";
import { releaseManifests } from "./controller.ts";

const namespace = "openshift-example-operator";
const version: KubeObject = {
  apiVersion: "config.openshift.io/v1",
  kind: "ClusterVersion",
  metadata: { name: "version" },
  spec: { clusterID: "7a1f3b0e-52a6-4b5e-9a53-0a6b1c2d3e4f" },
};

const manifest = (
  file: string,
  object: KubeObject,
  annotations: Readonly<Record<string, string>> = {},
): ReleaseManifest => ({
  file,
  object: {
    ...object,
    metadata: {
      ...object.metadata,
      annotations: {
        "include.release.openshift.io/self-managed-high-availability": "true",
        ...annotations,
      },
    },
  },
});

const configMap = (name: string, data: Readonly<Record<string, string>>): KubeObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { namespace, name },
  data,
});

/**
 * Manifests that are not sorted by file name. The controller must sort them, so that it creates the namespace before the objects
 * in it.
 */
const manifests: readonly ReleaseManifest[] = [
  manifest("0000_50_example_03-kept.yaml", configMap("kept", { color: "red" })),
  manifest("0000_50_example_04-created.yaml", configMap("created", { color: "red" }), {
    "release.openshift.io/create-only": "true",
  }),
  manifest("0000_50_example_05-gone.yaml", configMap("gone", {}), { "release.openshift.io/delete": "true" }),
  manifest("0000_50_example_06-profile.yaml", configMap("of-another-profile", {}), {
    "exclude.release.openshift.io/self-managed-high-availability": "true",
  }),
  manifest("0000_50_example_07-clusteroperator.yaml", {
    apiVersion: "config.openshift.io/v1",
    kind: "ClusterOperator",
    metadata: { name: "openshift-samples" },
    spec: {},
    status: {
      versions: [{ name: "operator", version: "1" }],
      relatedObjects: [{ group: "", resource: "namespaces", name: namespace }],
    },
  }),
  manifest("0000_10_example_01-namespace.yaml", {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: namespace },
  }),
];

/** Sets the ClusterVersion status to the status that a cluster has after its installation. */
async function completeInstallation(client: ClusterClient, desired = "4.19.1"): Promise<KubeObject> {
  const present = await client.get(resources.clusterVersions, version.metadata);
  const image = `example.com/release:${desired}`;
  const time = "2026-01-01T00:00:00Z";
  return client.updateStatus(resources.clusterVersions, {
    ...present,
    status: {
      availableUpdates: null,
      capabilities: { enabledCapabilities: [], knownCapabilities: [] },
      desired: { image, version: desired },
      history: [
        {
          state: "Completed",
          version: desired,
          image,
          verified: false,
          startedTime: time,
          completionTime: time,
        },
      ],
      observedGeneration: 1,
      versionHash: "",
    },
  });
}

const key = (name: string) => ({ namespace, name });

describe("the manifests of a release", { timeout: 900_000 }, () => {
  test("are applied after the installation, and their objects are maintained", async () => {
    await using world = await ApiWorld.start([releaseManifests], new ClusterPayload(() => manifests));
    const { client } = world;
    const { configMaps, clusterOperators, clusterVersions, namespaces } = resources;
    await client.create(clusterVersions, version);
    await client.create(namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name: "other" } });
    assert.equal(await client.find(namespaces, { name: namespace }), undefined);
    const { uid } = (await completeInstallation(client)).metadata;
    await eventually(async () => {
      const operator = await client.get(clusterOperators, { name: "openshift-samples" });
      assert.equal(stringAt(operator, "status", "relatedObjects", 0, "name"), namespace);
      assert.equal(valueAt(operator, "status", "versions"), undefined, "only the operator sets the version");
    });

    const kept = await client.get(configMaps, key("kept"));
    const owner = { apiVersion: "config.openshift.io/v1", kind: "ClusterVersion", name: "version", uid };
    assert.deepEqual(kept.metadata.ownerReferences, [{ ...owner, controller: true }]);
    assert.deepEqual((await client.get(configMaps, key("created"))).metadata.ownerReferences, [owner]);
    assert.equal(await client.find(configMaps, key("of-another-profile")), undefined);
    await client.mergePatch(configMaps, key("kept"), {
      metadata: { labels: { team: "ours" } },
      data: { color: "blue", shape: "round" },
    });
    await eventually(async () => {
      const { data, metadata } = await client.get(configMaps, key("kept"));
      assert.deepEqual([data, metadata.labels], [{ color: "red", shape: "round" }, { team: "ours" }]);
    });
    await client.mergePatch(configMaps, key("created"), { data: { color: "blue" } });
    await client.create(configMaps, configMap("gone", {}));
    await client.delete(configMaps, key("kept"));
    await eventually(() => client.get(configMaps, key("kept")));
    await eventually(async () => assert.equal(await client.find(configMaps, key("gone")), undefined));
    assert.deepEqual((await client.get(configMaps, key("created"))).data, { color: "blue" });

    const { resourceVersion } = (await client.get(configMaps, key("kept"))).metadata;
    await client.delete(configMaps, key("created"));
    await eventually(() => client.get(configMaps, key("created")));
    assert.equal((await client.get(configMaps, key("kept"))).metadata.resourceVersion, resourceVersion);
  });

  test("of a new release replace the previous ones", async () => {
    const payload = new ClusterPayload(({ version: of }) => [
      manifests.find(({ object }) => object.kind === "Namespace") as ReleaseManifest,
      manifest("0000_50_example_01.yaml", configMap("settings", { [`of-${of}`]: of })),
    ]);
    await using world = await ApiWorld.start([releaseManifests], payload);
    const { client } = world;
    await client.create(resources.clusterVersions, version);
    await completeInstallation(client);
    const expect = (data: Readonly<Record<string, string>>) =>
      eventually(async () =>
        assert.deepEqual((await client.get(resources.configMaps, key("settings"))).data, data),
      );
    await expect({ "of-4.19.1": "4.19.1" });
    await completeInstallation(client, "4.19.2");
    await expect({ "of-4.19.2": "4.19.2" });
    await client.delete(resources.configMaps, key("settings"));
    await expect({ "of-4.19.2": "4.19.2" });
  });

  test("that cannot be applied are reported and block only their component", async () => {
    const broken = manifest("0000_50_broken_01.yaml", {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { namespace, name: "operator" },
      spec: {
        selector: { matchLabels: { a: "b" } },
        template: { metadata: { labels: { a: "c" } }, spec: {} },
      },
    });
    const after = manifest("0000_50_broken_02.yaml", configMap("after", {}));
    const payload = new ClusterPayload(() => [...manifests, broken, after]);
    await using world = await ApiWorld.start([releaseManifests, clusterVersion], payload);
    const { client } = world;
    await client.create(resources.clusterVersions, version);
    await eventually(async () =>
      assert.ok(valueAt(await client.get(resources.clusterVersions, version.metadata), "status", "history")),
    );
    await completeInstallation(client, "4.19.24");
    await eventually(async () => {
      const failing = conditionOf(await client.get(resources.clusterVersions, version.metadata), "Failing");
      assert.equal(failing.reason, "MultipleErrors");
      assert.match(
        failing.message ?? "",
        /\n\* Could not update deployment "openshift-example-operator\/operator" \(2 of 7\): the object is invalid, possibly due to local cluster configuration$/,
      );
    });
    await client.get(resources.configMaps, key("kept"));
    assert.equal(await client.find(resources.configMaps, key("after")), undefined);
  });
});
