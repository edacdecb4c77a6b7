import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { maintenanceSignals, maintenanceTasks } from "../cluster/maintenance-state.ts";
import type { OpenShiftCluster } from "../cluster/open-shift-cluster.ts";
import { toExternal } from "../conversion/external.ts";
import type { SchemaNode } from "../fields/schema.ts";
import { errorOf } from "../testing/rule-table.ts";
import { identityBody, installedCluster, testRequest, versionNamed } from "../testing/test-cluster.ts";
import { applyClusterRequest } from "../validation/put-or-patch-request.ts";
import { adminVersion, findAnyVersion } from "./admin-version.ts";
import { apiVersions } from "./api-versions.ts";

const newest = versionNamed("2025-07-25");
const patch = (current: OpenShiftCluster, body: unknown) =>
  applyClusterRequest(testRequest({ version: adminVersion, method: "PATCH", current, body }));

function pathsOf(nodes: readonly SchemaNode[]): string[] {
  return nodes.flatMap((node) => [node.field.path, ...pathsOf(node.members)]);
}

test("administrators see every field that customers' newest version has, but for systemData, and more", () => {
  const known = new Set(pathsOf(adminVersion.fields));
  const missing = pathsOf(newest.fields).filter((path) => !known.has(path));
  assert.deepEqual(new Set(missing.map((path) => path.split(".")[0])), new Set(["systemData"]));
  assert.ok(known.has("properties.operatorFlags"));
  for (const version of apiVersions) assert.ok(!pathsOf(version.fields).includes("properties.operatorFlags"));
  assert.equal(findAnyVersion("admin"), adminVersion);
  assert.equal(findAnyVersion("2025-07-25"), newest);
  assert.equal(findAnyVersion("Admin"), undefined);
});

test("exactly six fields can be changed", () => {
  const mutable = (nodes: readonly SchemaNode[]): string[] =>
    nodes.flatMap(({ field, members }) => [...(field.mutable ? [field.path] : []), ...mutable(members)]);
  assert.deepEqual(mutable(adminVersion.fields).sort(), [
    "operatorFlagsMergeStrategy",
    "properties.featureProfile.gatewayEnabled",
    "properties.maintenanceTask",
    "properties.networkProfile.outboundType",
    "properties.operatorFlags",
    "properties.operatorVersion",
  ]);
});

test("maintenance keeps what is known of a cluster with managed identities", () => {
  const current = installedCluster(newest, identityBody(newest));
  const { provisioningState, lastProvisioningState, maintenanceTask, maintenanceState, ...kept } = patch(
    current,
    {},
  ).properties;
  assert.deepEqual(
    [provisioningState, lastProvisioningState, maintenanceTask, maintenanceState],
    ["AdminUpdating", "Succeeded", "Everything", "Unplanned"],
  );
  const { provisioningState: _, lastProvisioningState: __, ...before } = current.properties;
  assert.deepEqual(kept, before);
  assert.deepEqual(patch(current, {}).managedServiceIdentity, current.managedServiceIdentity);
});

test("what administrators read they may send back; a changed read-only field is refused by its path", () => {
  const installed = installedCluster(newest, identityBody(newest));
  const current: OpenShiftCluster = {
    ...installed,
    properties: {
      ...installed.properties,
      infraId: "demo-abcde",
      lastAdminUpdateError: "earlier",
      registryProfiles: [{ name: "registry.example", username: "demo" }],
    },
  };
  const body = JSON.parse(JSON.stringify(toExternal(adminVersion, current, "read")));
  assert.equal(patch(current, body).properties.provisioningState, "AdminUpdating");
  const changes = [
    ["infraId", "properties.infraId"],
    ["lastAdminUpdateError", "properties.lastAdminUpdateError"],
    ["createdAt", "properties.createdAt"],
    ["registryProfiles", "properties.registryProfiles"],
    ["workerProfilesStatus", "properties.workerProfilesStatus"],
  ] as const;
  for (const [member, target] of changes) {
    const value = Array.isArray(body.properties[member])
      ? [{ ...body.properties[member][0], name: "another" }]
      : "2030-01-01T00:00:00Z";
    const changed = { ...body, properties: { ...body.properties, [member]: value } };
    const error = errorOf(testRequest({ version: adminVersion, method: "PATCH", current, body: changed }));
    assert.deepEqual([error.body.code, error.body.target], ["PropertyChangeNotAllowed", target]);
  }
});

test("a cluster of before there were outbound types can be maintained", () => {
  const installed = installedCluster(newest);
  const { outboundType: _, ...networkProfile } = installed.properties.networkProfile;
  const current = { ...installed, properties: { ...installed.properties, networkProfile } };
  assert.equal(patch(current, {}).properties.networkProfile.outboundType, "Loadbalancer");
  const body = { properties: { networkProfile: { outboundType: "Tunnel" } } };
  const error = errorOf(testRequest({ version: adminVersion, method: "PATCH", current, body }));
  assert.equal(
    error.body.message,
    "The provided outboundType 'Tunnel' is invalid: must be UserDefinedRouting or Loadbalancer.",
  );
});

test("every violation is named, the first in code and message", () => {
  const current = installedCluster(newest);
  const body = { tags: { a: "b" }, properties: { maintenanceTask: "x", operatorVersion: "fine" } };
  const error = errorOf(testRequest({ version: adminVersion, method: "PATCH", current, body }));
  assert.equal(error.body.message, "Invalid enum parameter.");
  assert.deepEqual(
    error.body.details?.map(({ target }) => target),
    ["properties.maintenanceTask", "tags"],
  );
});

test("maintenance signals never start an update; a task does, and records whether it was announced", () => {
  const words = fc.array(fc.constantFrom(...maintenanceSignals), { maxLength: 5 });
  const tasks = fc.constantFrom(...maintenanceTasks, "", undefined);
  const installed = installedCluster(newest);
  fc.assert(
    fc.property(words, tasks, (said, task) => {
      let cluster = installed;
      for (const word of said) {
        cluster = patch(cluster, { properties: { maintenanceTask: word } });
        assert.equal(cluster.properties.provisioningState, "Succeeded");
        assert.equal(cluster.properties.maintenanceState, word);
        assert.equal(cluster.properties.maintenanceTask, undefined);
      }
      const { properties } = patch(
        cluster,
        task === undefined ? {} : { properties: { maintenanceTask: task } },
      );
      assert.equal(properties.provisioningState, "AdminUpdating");
      assert.equal(properties.maintenanceTask, task || "Everything");
      assert.equal(properties.maintenanceState, said.at(-1) === "Pending" ? "Planned" : "Unplanned");
    }),
    { numRuns: 50 },
  );
});
