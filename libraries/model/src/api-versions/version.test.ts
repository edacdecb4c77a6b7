import assert from "node:assert/strict";
import { test } from "node:test";
import { toExternal } from "../conversion/external.ts";
import { errorOf } from "../testing/rule-table.ts";
import { installedCluster, testRequest, versionNamed } from "../testing/test-cluster.ts";
import { applyClusterRequest } from "../validation/put-or-patch-request.ts";
import { apiVersions, findApiVersion } from "./api-versions.ts";

test("versions are found by their exact name", () => {
  assert.deepEqual(
    apiVersions.map(({ name }) => name),
    [
      "2019-12-31-preview",
      "2020-04-30",
      "2021-09-01-preview",
      "2022-04-01",
      "2022-09-04",
      "2023-04-01",
      "2023-07-01-preview",
      "2023-09-04",
      "2023-11-22",
      "2024-08-12-preview",
      "2025-07-25",
    ],
  );
  assert.equal(findApiVersion("2025-07-25")?.name, "2025-07-25");
  assert.equal(findApiVersion("1999-01-01"), undefined);
  assert.equal(findApiVersion("admin"), undefined);
});

test("operations of the versions", () => {
  assert.deepEqual([...versionNamed("2019-12-31-preview").operations], ["listCredentials", "credentials"]);
  assert.deepEqual([...versionNamed("2020-04-30").operations], ["listCredentials"]);
  for (const { operations } of apiVersions.slice(2)) {
    assert.deepEqual([...operations], ["listCredentials", "listAdminCredentials"]);
  }
});

test("a version leaves alone what only others know", () => {
  const version = versionNamed("2023-09-04");
  const current = installedCluster(versionNamed("2025-07-25"));

  const { properties, systemData } = JSON.parse(JSON.stringify(toExternal(version, current, "read")));
  assert.deepEqual(systemData, current.systemData);
  assert.equal(properties.clusterProfile.fipsValidatedModules, "Enabled");
  assert.equal(properties.networkProfile.loadBalancerProfile, undefined);
  assert.equal(properties.networkProfile.preconfiguredNSG, "Disabled");
  assert.equal(properties.workerProfilesStatus[0].count, 2);
  assert.equal(properties.platformWorkloadIdentityProfile, undefined);

  const patch = (body: object) => testRequest({ version, method: "PATCH", current, body });
  const ignored = {
    properties: { networkProfile: { loadBalancerProfile: { managedOutboundIps: { count: 7 } } } },
  };
  const updated = applyClusterRequest(patch(ignored));
  assert.deepEqual(
    updated.properties.networkProfile.loadBalancerProfile,
    current.properties.networkProfile.loadBalancerProfile,
    "a field of other versions is neither read nor lost",
  );
  const echo = { properties: { apiserverProfile: { ip: current.properties.apiserverProfile.ip } } };
  assert.doesNotThrow(() => applyClusterRequest(patch(echo)), "not yet read-only");
  const encryption = { properties: { masterProfile: { encryptionAtHost: "on" } } };
  assert.equal(errorOf(patch(encryption)).body.message, "The provided value 'on' is invalid.");
  const scaling = { properties: { workerProfiles: [{ count: 5 }] } };
  assert.equal(errorOf(patch(scaling)).body.target, "properties.workerProfiles['worker'].count");
});
