import assert from "node:assert/strict";
import { test } from "node:test";
import { CloudError } from "@keelson/arm";
import { newCluster } from "@keelson/model/testing";
import { planZones } from "./validate-zones.ts";

const cluster = newCluster({ name: "demo" });
const masters = cluster.properties.masterProfile.vmSize;
const workers = cluster.properties.workerProfiles[0]?.vmSize ?? "";
const inMasters = "properties.masterProfile.VMSize";
const inWorkers = "properties.workerProfiles[0].VMSize";

const cases: readonly {
  readonly name: string;
  readonly masterZones?: readonly string[];
  readonly workerZones?: readonly string[];
  readonly zones?: readonly string[];
  readonly target?: string;
  readonly message?: RegExp;
}[] = [
  { name: "three zones", masterZones: ["3", "1", "2"], workerZones: ["1", "2", "3"], zones: ["1", "2", "3"] },
  {
    name: "a fourth zone, which is left out",
    masterZones: ["1", "2", "3", "4"],
    workerZones: ["4", "3", "2", "1"],
    zones: ["1", "2", "3"],
  },
  { name: "a region without zones", masterZones: [], workerZones: [], zones: [] },
  {
    name: "zonal masters with workers that are not",
    masterZones: ["1", "2", "3"],
    workerZones: [],
    target: inWorkers,
    message: /both must be zonal, or neither\.$/,
  },
  {
    name: "masters in two zones",
    masterZones: ["1", "2"],
    workerZones: ["1", "2", "3"],
    target: inMasters,
    message: /is in 2 availability zones of region 'eastus': 3 are needed\.$/,
  },
  {
    name: "workers in two usual zones",
    masterZones: ["1", "2", "3"],
    workerZones: ["1", "2", "4"],
    target: inWorkers,
    message: /is in 2 availability zones of region 'eastus': 3 are needed\.$/,
  },
  {
    name: "masters of a size that the region does not have",
    workerZones: [],
    target: inMasters,
    message: /^The selected SKU '.*' is unavailable in region 'eastus'$/,
  },
  {
    name: "workers of a size that the region does not have",
    masterZones: [],
    target: inWorkers,
    message: /^The selected SKU '.*' is unavailable in region 'eastus'$/,
  },
];
for (const { name, masterZones, workerZones, zones, target, message = /./ } of cases) {
  test(`${name}: ${zones ? `[${zones}]` : "refused"}`, () => {
    const skus = new Map([
      ...(masterZones ? [[masters, { zones: masterZones }] as const] : []),
      ...(workerZones ? [[workers, { zones: workerZones }] as const] : []),
    ]);
    if (zones) {
      assert.deepEqual(planZones(cluster, skus), zones);
      return;
    }
    assert.throws(
      () => planZones(cluster, skus),
      (error) => {
        assert.ok(error instanceof CloudError);
        assert.deepEqual([error.body.code, error.body.target], ["InvalidParameter", target]);
        assert.match(error.body.message, message);
        return true;
      },
    );
  });
}
