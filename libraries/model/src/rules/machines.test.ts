import assert from "node:assert/strict";
import { test } from "node:test";
import { errorOf, merged, onlyFirst, onlyLater, type RuleRow, testRules } from "../testing/rule-table.ts";
import {
  installedCluster,
  subscriptionId,
  testRequest,
  validBody,
  versionNamed,
  vnetId,
} from "../testing/test-cluster.ts";
import { applyClusterRequest } from "../validation/put-or-patch-request.ts";

const master = "properties.masterProfile";
const worker = "properties.workerProfiles['worker']";
const otherSubscription = "11111111-0000-4000-8000-000000000001";
const otherSubnet = `${vnetId.replace(subscriptionId, otherSubscription)}/subnets/master`;
const diskSet = `/subscriptions/${otherSubscription}/resourceGroups/keys/providers/Microsoft.Compute/diskEncryptionSets/set`;
const ownDiskSet = diskSet.replace(otherSubscription, subscriptionId);

function masterRow(title: string, member: string, value: string, message: string): RuleRow {
  const wrong = { properties: { masterProfile: { [member]: value } } };
  return { title, wrong, target: `${master}.${member}`, message };
}

function workerRow(title: string, member: string, value: string | number, message: string): RuleRow {
  const wrong = { properties: { workerProfiles: [{ [member]: value }] } };
  return { title, wrong, target: `${worker}.${member}`, message, when: "create" };
}

const elsewhere = `${vnetId}2/subnets/worker`;
const same = `${vnetId}/subnets/MASTER`;

testRules([
  masterRow(
    "masters of a size for workers",
    "vmSize",
    "Standard_D4s_v3",
    "The provided VM size 'Standard_D4s_v3' is invalid for the 'master' role.",
  ),
  masterRow(
    "masters of a size in the wrong case",
    "vmSize",
    "standard_d8s_v3",
    "The provided VM size 'standard_d8s_v3' is invalid for the 'master' role.",
  ),
  masterRow(
    "masters of a size that needs a newer OpenShift",
    "vmSize",
    "Standard_D8s_v6",
    "The provided master VM size 'Standard_D8s_v6' is invalid for the chosen OpenShift version.",
  ),
  masterRow("no master subnet", "subnetId", "", "The provided master VM subnet '' is invalid."),
  masterRow(
    "a master subnet elsewhere",
    "subnetId",
    otherSubnet,
    `The provided master VM subnet '${otherSubnet}' is invalid: must be in same subscription as cluster.`,
  ),
  {
    ...masterRow("no encryption mode", "encryptionAtHost", "", "The provided value '' is invalid."),
    ...onlyLater,
  },
  {
    ...masterRow(
      "an invalid disk encryption set",
      "diskEncryptionSetId",
      "set",
      "The provided master disk encryption set 'set' is invalid.",
    ),
    ...onlyLater,
  },
  {
    ...masterRow(
      "a disk encryption set elsewhere",
      "diskEncryptionSetId",
      diskSet,
      `The provided master disk encryption set '${diskSet}' is invalid: must be in same subscription as cluster.`,
    ),
    ...onlyLater,
  },
  {
    title: "a worker status",
    wrong: { properties: { workerProfilesStatus: [{ name: "worker" }] } },
    target: "properties.workerProfilesStatus",
    message: "Worker Profile Status must be set to nil.",
    when: "create",
    ...onlyLater,
  },
  {
    title: "no worker profile",
    wrong: { properties: { workerProfiles: [] } },
    target: "properties.workerProfiles",
    message: "There should be exactly one worker profile.",
    when: "create",
  },
  {
    title: "a wrong worker name",
    wrong: { properties: { workerProfiles: [{ name: "extra" }] } },
    target: "properties.workerProfiles['extra'].name",
    message: "The provided worker name 'extra' is invalid.",
    when: "create",
  },
  workerRow(
    "workers of an unknown size",
    "vmSize",
    "Standard_X1",
    "The provided VM size 'Standard_X1' is invalid for the 'worker' role.",
  ),
  workerRow(
    "workers of a development size",
    "vmSize",
    "Standard_D2s_v3",
    "The provided VM size 'Standard_D2s_v3' is invalid for the 'worker' role.",
  ),
  {
    ...workerRow(
      "workers of a usual size in development",
      "vmSize",
      "Standard_D4s_v3",
      "The provided VM size 'Standard_D4s_v3' is invalid for the 'worker' role.",
    ),
    request: { requireD2sWorkers: true },
    onlyCreationSays: true,
  },
  workerRow(
    "workers of a size that needs a newer OpenShift",
    "vmSize",
    "Standard_L8s_v4",
    "The provided worker VM size 'Standard_L8s_v4' is invalid for the chosen OpenShift version.",
  ),
  workerRow("a small disk", "diskSizeGB", 127, "The provided worker disk size '127' is invalid."),
  workerRow("no worker subnet", "subnetId", "x", "The provided worker VM subnet 'x' is invalid."),
  {
    ...workerRow(
      "an unknown encryption mode",
      "encryptionAtHost",
      "on",
      "The provided value 'on' is invalid.",
    ),
    ...onlyLater,
  },
  workerRow(
    "workers in a different network",
    "subnetId",
    elsewhere,
    `The provided worker VM subnet '${elsewhere}' is invalid: must be in the same vnet as master VM subnet '${vnetId}/subnets/master'.`,
  ),
  workerRow(
    "workers in the masters' subnet",
    "subnetId",
    same,
    `The provided worker VM subnet '${same}' is invalid: must be different to master VM subnet '${vnetId}/subnets/master'.`,
  ),
  { ...workerRow("one worker", "count", 1, "The provided worker count '1' is invalid."), ...onlyLater },
  { ...workerRow("51 workers", "count", 51, "The provided worker count '51' is invalid."), ...onlyLater },
  ...[1, 51].map((count) => ({
    title: `${count} workers where they scale`,
    wrong: { properties: { workerProfiles: [{ count }] } },
    target: `${worker}.count`,
    message: `The provided worker count '${count}' is invalid.`,
    ...onlyFirst,
  })),
  {
    title: "disk encryption of masters only",
    wrong: { properties: { masterProfile: { diskEncryptionSetId: ownDiskSet } } },
    target: `${worker}.subnetId`,
    message: `The provided worker disk encryption set '' is invalid: must be the same as master disk encryption set '${ownDiskSet}'.`,
    when: "create",
    ...onlyLater,
  },
]);

for (const [version, size] of [
  ["4.19.0", "Standard_D8s_v6"],
  ["4.19.0", "Standard_E4as_v4"],
] as const) {
  test(`masters of ${size} run OpenShift ${version}`, () => {
    const api = versionNamed("2025-07-25");
    const body = merged(validBody(api), {
      properties: { clusterProfile: { version }, masterProfile: { vmSize: size } },
    });
    assert.doesNotThrow(() => applyClusterRequest(testRequest({ version: api, body })));
  });
}

test("the first version scales from 2 to 50 workers by PATCH and PUT", () => {
  const version = versionNamed("2019-12-31-preview");
  const current = installedCluster(version);
  for (const count of [2, 50]) {
    const body = { properties: { workerProfiles: [{ name: "worker", count }] } };
    const scaled = applyClusterRequest(testRequest({ version, method: "PATCH", current, body }));
    const { count: was, ...others } = current.properties.workerProfiles[0] ?? assert.fail("no workers");
    assert.equal(was, 3);
    assert.deepEqual(scaled.properties.workerProfiles, [{ ...others, count }]);
  }
});

test("later versions do not scale", () => {
  const version = versionNamed("2025-07-25");
  const current = installedCluster(version);
  const body = { properties: { workerProfiles: [{ name: "worker", count: 5 }] } };
  const error = errorOf(testRequest({ version, method: "PATCH", current, body }));
  assert.equal(error.body.code, "PropertyChangeNotAllowed");
  assert.equal(error.body.target, "properties.workerProfiles['worker'].count");
  assert.equal(
    error.body.message,
    "Changing property 'properties.workerProfiles['worker'].count' is not allowed.",
  );
});
