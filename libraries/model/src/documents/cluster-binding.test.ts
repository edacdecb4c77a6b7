import assert from "node:assert/strict";
import { test } from "node:test";
import type { ResourceKey } from "@keelson/arm";
import type { OpenShiftCluster } from "../cluster/open-shift-cluster.ts";
import { isManifestOf } from "../maintenance/manifest.ts";
import { isBoundTo } from "./cluster-binding.ts";

const createdAt = "2026-11-20T10:00:00.000Z";
const cluster = {
  id: "second",
  // The code under test reads no other property of the cluster.
  openShiftCluster: { properties: { createdAt } } as OpenShiftCluster,
};

for (const [name, clusterDocumentId, madeAt, expected] of [
  ["of this cluster", "second", "2026-01-01T00:00:00Z", true],
  ["of an earlier cluster", "first", "2027-01-01T00:00:00Z", false],
  ["without the ID, made well after the cluster", undefined, "2026-11-20T10:05:00Z", true],
  ["without the ID, made when clocks may still differ", undefined, "2026-11-20T10:04:59Z", false],
  ["without the ID, made before the cluster", undefined, "2026-11-20T09:00:00Z", false],
  ["without the ID and a time", undefined, undefined, false],
] as const)
  test(`a document ${name} is ${expected ? "bound to" : "refused for"} the cluster`, () =>
    assert.equal(isBoundTo(cluster, clusterDocumentId, madeAt), expected));

test("a document without the ID is refused for a cluster with an unknown creation time", () => {
  const unknown = { ...cluster, openShiftCluster: { properties: { createdAt: "" } } as OpenShiftCluster };
  assert.equal(isBoundTo(unknown, undefined, createdAt), false);
});

test("a manifest without the ID counts by the time at which it was due", () => {
  const key = "k" as ResourceKey;
  const manifest = (runAfter: string) => ({
    id: "m",
    partitionKey: key,
    clusterResourceID: key,
    maintenanceManifest: {
      state: "InProgress" as const,
      maintenanceTaskID: "task",
      priority: 0,
      runAfter: Date.parse(runAfter) / 1_000,
      runBefore: 0,
    },
  });
  assert.equal(isManifestOf(cluster, manifest("2026-11-21T00:00:00Z")), true);
  assert.equal(isManifestOf(cluster, manifest("2026-11-19T00:00:00Z")), false);
});
