import assert from "node:assert/strict";
import { test } from "node:test";
import type { OpenShiftCluster } from "@keelson/model";
import { newCluster } from "@keelson/model/testing";
import { machineImage } from "./machine-image.ts";

const image = (sku: string, version: string) => ({
  publisher: "azureopenshift",
  offer: "aro4",
  sku,
  version,
});

function clusterWith(version: string, masterSize = "Standard_D8s_v3"): OpenShiftCluster {
  const cluster = newCluster({ name: "demo" });
  const { masterProfile, clusterProfile } = cluster.properties;
  return {
    ...cluster,
    properties: {
      ...cluster.properties,
      clusterProfile: { ...clusterProfile, version },
      masterProfile: { ...masterProfile, vmSize: masterSize },
    },
  };
}

const gen1 = image("first", "1.2.3");
const gen2 = image("second", "1.2.3");

for (const [title, cluster, machineImages, expected] of [
  [
    "sizes of both generations use generation 1",
    clusterWith("4.19.1"),
    { hyperVGen1: gen1, hyperVGen2: gen2 },
    gen1,
  ],
  [
    "one size of generation 2 decides",
    clusterWith("4.19.1", "Standard_D8s_v6"),
    { hyperVGen1: gen1, hyperVGen2: gen2 },
    gen2,
  ],
  ["the only image is used", clusterWith("4.19.1"), { hyperVGen2: gen2 }, gen2],
  [
    "a document of an earlier release uses the published image",
    clusterWith("4.19.1"),
    undefined,
    image("aro_419", "419.6.20250523"),
  ],
  [
    "a document of an earlier release uses the published image of generation 2",
    clusterWith("4.20.1", "Standard_D8s_v6"),
    undefined,
    image("aro_420-v2", "9.6.20251015"),
  ],
  [
    "an unknown minor version of an earlier release uses the latest image",
    clusterWith("4.99.1"),
    undefined,
    image("aro_499", "latest"),
  ],
] as const) {
  test(`image of machines: ${title}`, () => {
    assert.deepEqual(machineImage(cluster, machineImages ? { machineImages } : {}), expected);
  });
}
