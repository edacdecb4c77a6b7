import assert from "node:assert/strict";
import { test } from "node:test";
import type { Inventory } from "@keelson/sim-azure";
import { auditWorld } from "./audit-world.ts";

const { signal } = new AbortController();
const group = "/subscriptions/s/resourceGroups/aro-demo";
const id = "/subscriptions/s/resourceGroups/g/providers/Microsoft.RedHatOpenShift/openShiftClusters/demo";
const inventory: Inventory = {
  groups: [{ id: group, name: "aro-demo", managedBy: id, state: "Succeeded" }],
  resources: [],
  principalIds: [],
  applications: [],
};
const cluster = (provisioningState: string) => ({
  id,
  properties: { provisioningState, clusterProfile: { resourceGroupId: group } },
});

/** Fake service that returns each cluster state in `looks` once, in order. */
const serviceOf = (...looks: readonly (string | undefined)[]) => {
  const left = [...looks];
  return {
    async allClusters() {
      const state = left.shift();
      return new Map(state === undefined ? [] : [["key", cluster(state)]]);
    },
  };
};

const rows: readonly (readonly [looks: readonly (string | undefined)[], kinds: readonly string[]])[] = [
  [
    ["Succeeded", "Succeeded"],
    ["missing-resource", "missing-resource", "missing-resource"],
  ],
  [["Creating", "Succeeded"], []],
  [["Deleting", undefined], []],
  [[undefined, "Creating"], []],
  [[undefined, undefined], ["orphaned-group"]],
];
for (const [looks, kinds] of rows)
  test(`a cluster that is first ${looks[0] ?? "absent"}, then ${looks[1] ?? "absent"}: ${kinds.length} findings`, async () => {
    const findings = await auditWorld({ inventory: async () => inventory }, serviceOf(...looks), signal);
    assert.deepEqual(
      findings.map(({ kind }) => kind),
      kinds,
    );
  });
