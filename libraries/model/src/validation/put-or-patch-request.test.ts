import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultOperatorFlags } from "@keelson/aro-api";
import { toExternal } from "../conversion/external.ts";
import { errorOf, merged } from "../testing/rule-table.ts";
import {
  clusterUrl,
  identityBody,
  installedCluster,
  revealed,
  testRequest,
  validBody,
  versionNamed,
} from "../testing/test-cluster.ts";
import { applyClusterRequest } from "./put-or-patch-request.ts";

const first = versionNamed("2019-12-31-preview");
const newest = versionNamed("2025-07-25");

for (const version of [first, newest]) {
  test(`a new cluster is Creating, in the case of its URL, ${version.name}`, () => {
    const cluster = applyClusterRequest(testRequest({ version }));
    const { id, name, type, properties } = cluster;
    assert.deepEqual({ id, name, type }, clusterUrl);
    assert.equal(properties.provisioningState, "Creating");
    assert.equal(properties.lastProvisioningState, undefined);
    assert.equal(properties.architectureVersion, 1);
    assert.equal(properties.createdAt, "2026-01-02T03:04:05Z");
    assert.equal(properties.createdBy, "build");
    assert.equal(properties.provisionedBy, "build");
    assert.equal(
      properties.clusterProfile.resourceGroupId,
      properties.clusterProfile.resourceGroupId.toLowerCase(),
    );
    assert.equal(properties.servicePrincipalProfile?.clientSecret.reveal(), "first-secret");
    assert.match(properties.clusterProfile.pullSecret?.reveal() ?? "", /registry.example/);
  });

  test(`an update is Updating and remembers the state before, ${version.name}`, () => {
    const cluster = installedCluster(version);
    const current = {
      ...cluster,
      properties: {
        ...cluster.properties,
        provisioningState: "Failed" as const,
        failedProvisioningState: "Updating" as const,
      },
    };
    const { properties } = applyClusterRequest(testRequest({ version, method: "PATCH", current, body: {} }));
    assert.equal(properties.provisioningState, "Updating");
    assert.equal(properties.lastProvisioningState, "Failed");
    assert.equal(properties.failedProvisioningState, "Updating");
  });

  test(`unknown properties survive an update at every depth, ${version.name}`, () => {
    const cluster = installedCluster(version);
    const mark = { future: { kept: [1] } };
    const { properties } = cluster;
    const current = {
      ...cluster,
      ...mark,
      properties: {
        ...properties,
        ...mark,
        clusterProfile: { ...properties.clusterProfile, ...mark },
        workerProfiles: properties.workerProfiles.map((worker) => ({ ...worker, ...mark })),
        networkProfile: {
          ...properties.networkProfile,
          loadBalancerProfile: { ...properties.networkProfile.loadBalancerProfile, ...mark },
        },
      },
    };
    const updated = applyClusterRequest(
      testRequest({ version, method: "PATCH", current, body: { tags: { a: "b" } } }),
    );
    const expected = {
      ...current,
      tags: { a: "b" },
      properties: {
        ...current.properties,
        provisioningState: "Updating",
        lastProvisioningState: "Succeeded",
      },
    };
    assert.deepEqual(revealed(updated), revealed(expected));
  });

  test(`PATCH of a cluster that is not there is 404, ${version.name}`, () => {
    const error = errorOf(testRequest({ version, method: "PATCH" }));
    assert.equal(error.status, 404);
    assert.deepEqual(error.body, {
      code: "ResourceNotFound",
      message: "The Resource 'openshiftclusters/cluster' under resource group 'cluster' was not found.",
    });
  });

  test(`without version a new cluster gets the default one, ${version.name}`, () => {
    const body = merged(validBody(version), { properties: { clusterProfile: { version: "" } } });
    const cluster = applyClusterRequest(testRequest({ version, body, defaultVersion: "4.19.0" }));
    assert.equal(cluster.properties.clusterProfile.version, "4.19.0");
    const { defaultVersion: _, ...withoutDefault } = testRequest({ version, body });
    const error = errorOf(withoutDefault);
    assert.equal(error.status, 500);
    assert.equal(
      error.body.message,
      "No default OpenShift version is available. Please specify a version explicitly using the --version parameter.",
    );
  });

  for (const wanted of ["4.15.1", "latest"]) {
    test(`version ${wanted} cannot be installed, ${version.name}`, () => {
      const body = merged(validBody(version), { properties: { clusterProfile: { version: wanted } } });
      const isVersionEnabled = (enabled: string) => enabled !== "4.15.1";
      assert.deepEqual(errorOf(testRequest({ version, body, isVersionEnabled })).body, {
        code: "InvalidParameter",
        target: "properties.clusterProfile.version",
        message: `The requested OpenShift version '${wanted}' is invalid.`,
      });
    });
  }
}

test("defaults fill the fields that the first version lacks", () => {
  const { properties } = applyClusterRequest(testRequest({ version: first }));
  assert.equal(properties.clusterProfile.fipsValidatedModules, "Disabled");
  assert.equal(properties.masterProfile.encryptionAtHost, "Disabled");
  assert.equal(properties.workerProfiles[0]?.encryptionAtHost, "Disabled");
  assert.equal(properties.networkProfile.outboundType, "Loadbalancer");
  assert.equal(properties.networkProfile.preconfiguredNSG, "Disabled");
  assert.deepEqual(properties.networkProfile.loadBalancerProfile, { managedOutboundIps: { count: 1 } });
  assert.deepEqual(properties.operatorFlags, defaultOperatorFlags);
});

test("defaults come after validation: 2025-07-25 requires the fields that it has", () => {
  const body = merged(validBody(newest), {
    properties: { clusterProfile: { fipsValidatedModules: undefined } },
  });
  const error = errorOf(testRequest({ version: newest, body }));
  assert.equal(error.body.target, "properties.clusterProfile.fipsValidatedModules");
});

test("empty strings of `az aro create` mean defaults", () => {
  const body = merged(validBody(newest), {
    properties: { clusterProfile: { pullSecret: "", version: "" }, networkProfile: { outboundType: "" } },
  });
  const { properties } = applyClusterRequest(testRequest({ version: newest, body }));
  assert.equal(properties.clusterProfile.pullSecret, undefined);
  assert.equal(properties.clusterProfile.version, "4.16.30");
  assert.equal(properties.networkProfile.outboundType, "Loadbalancer");
  assert.equal(properties.networkProfile.loadBalancerProfile?.managedOutboundIps?.count, 1);
});

test("user-defined routing gets no load balancer", () => {
  const body = merged(validBody(newest), {
    properties: {
      networkProfile: { outboundType: "UserDefinedRouting" },
      apiserverProfile: { visibility: "Private" },
      ingressProfiles: [{ visibility: "Private" }],
    },
  });
  const { networkProfile } = applyClusterRequest(testRequest({ version: newest, body })).properties;
  assert.equal(networkProfile.loadBalancerProfile, undefined);
});

test("a client cannot plant what the service owns", () => {
  const body = merged(validBody(newest), {
    systemData: { createdBy: "mallory" },
    properties: {
      clusterProfile: { oidcIssuer: "https://mallory.example" },
      apiserverProfile: { url: "https://mallory.example", ip: "203.0.113.66" },
      createdBy: "mallory",
      infraId: "mallory",
      sshKey: "mallory",
    },
  });
  const cluster = applyClusterRequest(testRequest({ version: newest, body }));
  assert.doesNotMatch(JSON.stringify(revealed(cluster)), /mallory|203\.0\.113\.66/);
});

test("a PATCH of an old version keeps what only new ones know, and the reverse", () => {
  const current = installedCluster(newest);
  const body = {
    properties: {
      servicePrincipalProfile: { clientSecret: "second-secret" },
      workerProfiles: [{ count: 4 }],
    },
  };
  const updated = applyClusterRequest(testRequest({ version: first, method: "PATCH", current, body }));
  const { properties } = current;
  const expected = {
    ...current,
    properties: {
      ...properties,
      provisioningState: "Updating",
      lastProvisioningState: "Succeeded",
      servicePrincipalProfile: {
        clientId: properties.servicePrincipalProfile?.clientId,
        clientSecret: { secret: "second-secret" },
        spObjectId: "object-id",
      },
      workerProfiles: properties.workerProfiles.map((worker) => ({ ...worker, count: 4 })),
    },
  };
  assert.deepEqual(revealed(updated), revealed(expected));
});

test("a new cluster brings the identities that its version needs", () => {
  const cluster = applyClusterRequest(testRequest({ version: newest, body: identityBody(newest) }));
  assert.equal(cluster.properties.servicePrincipalProfile, undefined);
  assert.deepEqual(Object.keys(cluster.managedServiceIdentity?.userAssignedIdentities ?? {}).length, 1);
});

test("too few identities are named, sorted", () => {
  const body = merged(identityBody(newest), {
    properties: { platformWorkloadIdentityProfile: { upgradeableTo: "4.17.0" } },
  });
  assert.deepEqual(errorOf(testRequest({ version: newest, body })).body, {
    code: "PlatformWorkloadIdentityMismatch",
    target: "properties.PlatformWorkloadIdentityProfile.PlatformWorkloadIdentities",
    message:
      "There's a mismatch between the required and expected set of platform workload identities for the requested OpenShift minor version '4.16 or 4.17'. The required platform workload identities are '[image-registry ingress machine-api]'",
  });
});

test("without role sets no cluster has identities", () => {
  const error = errorOf(testRequest({ version: newest, body: identityBody(newest), roleSets: [] }));
  assert.equal(error.body.code, "InvalidParameter");
  assert.equal(
    error.body.message,
    "No PlatformWorkloadIdentityRoleSet found for the requested or upgradeable OpenShift minor version '4.16'. Please retry with different OpenShift version, and if the issue persists, raise an Azure support ticket",
  );
});

test("an exchanged identity loses what was known about the old one, the others keep it", () => {
  const current = installedCluster(newest, identityBody(newest));
  const old = current.properties.platformWorkloadIdentityProfile?.platformWorkloadIdentities ?? {};
  const resourceId = `${old.ingress?.resourceId}2`;
  const clusterIdentity = `${Object.keys(current.managedServiceIdentity?.userAssignedIdentities ?? {})[0]}2`;
  const body = {
    identity: { userAssignedIdentities: { [clusterIdentity]: {} } },
    properties: {
      platformWorkloadIdentityProfile: { platformWorkloadIdentities: { ingress: { resourceId } } },
    },
  };
  const updated = applyClusterRequest(testRequest({ version: newest, method: "PATCH", current, body }));
  assert.deepEqual(updated.properties.platformWorkloadIdentityProfile?.platformWorkloadIdentities, {
    ingress: { resourceId },
    "machine-api": old["machine-api"],
  });
  assert.deepEqual(updated.managedServiceIdentity, {
    ...current.managedServiceIdentity,
    userAssignedIdentities: { [clusterIdentity]: {} },
  });
});

test("versions without identities show such a cluster, and do not change it", () => {
  const current = installedCluster(newest, identityBody(newest));
  const external = toExternal(first, current, "read");
  assert.equal(external.identity, undefined);
  const error = errorOf(testRequest({ version: first, method: "PATCH", current, body: {} }));
  assert.equal(error.body.message, "ServicePrincipalProfile cannot be nil in this API version.");
});

test("all violations are reported in the version's order", () => {
  const body = merged(validBody(newest), {
    location: "x",
    properties: {
      clusterProfile: { version: "4.1.0" },
      masterProfile: { vmSize: "x" },
      apiserverProfile: { visibility: "x" },
    },
  });
  const error = errorOf(testRequest({ version: newest, body }));
  assert.deepEqual(
    error.body.details?.map(({ target }) => target),
    [
      "location",
      "properties.masterProfile.vmSize",
      "properties.apiserverProfile.visibility",
      "properties.clusterProfile.version",
    ],
  );
  assert.equal(error.body.message, "The provided location 'x' is invalid.");
});

test("ten thousand invalid workers get a short response", () => {
  const workerProfiles = Array.from({ length: 10_000 }, () => ({ name: "x" }));
  const body = merged(validBody(newest), { properties: { workerProfiles } });
  assert.equal(errorOf(testRequest({ version: newest, body })).body.details?.length, 100);
});

test("no error repeats a secret", () => {
  const body = merged(validBody(newest), {
    properties: {
      clusterProfile: { pullSecret: "hush {" },
      servicePrincipalProfile: { clientId: "x", clientSecret: "hush" },
    },
  });
  assert.doesNotMatch(JSON.stringify(errorOf(testRequest({ version: newest, body })).body), /hush/);
});
