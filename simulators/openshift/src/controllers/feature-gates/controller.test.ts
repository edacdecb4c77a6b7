import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ClusterClient } from "@keelson/apiserver";
import { listAt, stringAt, valueAt } from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { ApiWorld } from "../../apis/testing/api-world.ts";
import { ensureObject } from "../../base/objects.ts";
import { resources } from "../../base/resources.ts";
import { featureGates } from "./controller.ts";

const key = { name: "cluster" };

async function statusOf(client: ClusterClient) {
  const found = await client.get(resources.featureGates, key);
  return listAt(found, "status", "featureGates").map((each) => ({
    version: stringAt(each, "version"),
    enabled: listAt(each, "enabled").map((gate) => stringAt(gate, "name")),
    disabled: listAt(each, "disabled").map((gate) => stringAt(gate, "name")),
  }));
}

describe("the feature set of a cluster", { timeout: 900_000 }, () => {
  test("decides the gates of its versions and the schemas of its kinds", async () => {
    await using world = await ApiWorld.start([featureGates]);
    const { client } = world;
    const typeMeta = { apiVersion: "config.openshift.io/v1" };
    await ensureObject(client, resources.featureGates, {
      ...typeMeta,
      kind: "FeatureGate",
      metadata: key,
      spec: {},
    });
    await eventually(async () => {
      const [details, ...others] = await statusOf(client);
      assert.equal(details?.version, "4.19.24");
      assert.ok(details.disabled.includes("KMSEncryption"));
      assert.deepEqual(others, []);
    });
    const apiServer = {
      ...typeMeta,
      kind: "APIServer",
      metadata: key,
      spec: { encryption: { type: "KMS", kms: {} } },
    };
    const apiServers = { group: "config.openshift.io", version: "v1", resource: "apiservers" };
    await assert.rejects(client.create(apiServers, apiServer), /Unsupported value: "KMS"/);

    await client.mergePatch(resources.featureGates, key, { spec: { featureSet: "TechPreviewNoUpgrade" } });
    await eventually(async () => {
      const [details] = await statusOf(client);
      assert.ok(details?.enabled.includes("KMSEncryption"));
      const definition = await client.get(resources.customResourceDefinitions, {
        name: "apiservers.config.openshift.io",
      });
      const schema = valueAt(
        definition,
        "spec",
        "versions",
        0,
        "schema",
        "openAPIV3Schema",
        "properties",
        "spec",
      );
      assert.ok(listAt(schema, "properties", "encryption", "properties", "type", "enum").includes("KMS"));
      await client.get(resources.customResourceDefinitions, {
        name: "clustermonitorings.config.openshift.io",
      });
    });

    await client.create(resources.clusterVersions, {
      ...typeMeta,
      kind: "ClusterVersion",
      metadata: { name: "version" },
      spec: { clusterID: "7a1f3b0e-52a6-4b5e-9a53-0a6b1c2d3e4f" },
    });
    const version = await client.get(resources.clusterVersions, { name: "version" });
    const entry = (name: string) => ({
      version: name,
      state: "Completed",
      startedTime: "2026-01-01T00:00:00Z",
      completionTime: "2026-01-01T00:00:00Z",
      image: `example.com/release:${name}`,
      verified: false,
    });
    await client.updateStatus(resources.clusterVersions, {
      ...version,
      status: {
        availableUpdates: null,
        desired: { image: "example.com/release:4.20.1", version: "4.20.1" },
        history: [entry("4.20.1"), entry("4.19.24")],
        observedGeneration: 1,
        versionHash: "",
      },
    });
    await eventually(async () =>
      assert.deepEqual(
        (await statusOf(client)).map((each) => each.version),
        ["4.20.1", "4.19.24"],
      ),
    );
  });
});
