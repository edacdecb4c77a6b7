import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject, JsonValue } from "@keelson/base";
import { toExternal } from "../conversion/external.ts";
import { errorOf, merged } from "../testing/rule-table.ts";
import {
  identityBody,
  installedCluster,
  sendable,
  testRequest,
  versionNamed,
  vnetId,
} from "../testing/test-cluster.ts";
import { applyClusterRequest } from "./put-or-patch-request.ts";

const first = versionNamed("2019-12-31-preview");
const newest = versionNamed("2025-07-25");

/** One example change for each field. A key is the path under which the change must be reported. */
const changes: Readonly<Record<string, JsonObject>> = {
  "properties.clusterProfile.domain": { properties: { clusterProfile: { domain: "other" } } },
  "properties.clusterProfile.version": { properties: { clusterProfile: { version: "4.16.31" } } },
  "properties.clusterProfile.pullSecret": { properties: { clusterProfile: { pullSecret: "{}" } } },
  "properties.provisioningState": { properties: { provisioningState: "Creating" } },
  "properties.networkProfile.podCidr": { properties: { networkProfile: { podCidr: "10.0.0.0/14" } } },
  "properties.networkProfile.serviceCidr": {
    properties: { networkProfile: { serviceCidr: "172.31.0.0/16" } },
  },
  "properties.masterProfile.vmSize": { properties: { masterProfile: { vmSize: "Standard_D16s_v3" } } },
  "properties.masterProfile.subnetId": {
    properties: { masterProfile: { subnetId: `${vnetId}/subnets/new` } },
  },
  "properties.workerProfiles['worker'].vmSize": {
    properties: { workerProfiles: [{ vmSize: "Standard_D8s_v3" }] },
  },
  "properties.workerProfiles['Worker'].name": { properties: { workerProfiles: [{ name: "Worker" }] } },
  "properties.workerProfiles": { properties: { workerProfiles: [{}, { name: "worker", count: 3 }] } },
  "properties.apiserverProfile.visibility": { properties: { apiserverProfile: { visibility: "Private" } } },
  "properties.ingressProfiles['default'].visibility": {
    properties: { ingressProfiles: [{ visibility: "Private" }] },
  },
};

for (const version of [first, newest]) {
  for (const [target, body] of Object.entries(changes)) {
    test(`${target} does not change, ${version.name}`, () => {
      const current = installedCluster(version);
      const error = errorOf(testRequest({ version, method: "PATCH", current, body }));
      assert.equal(error.status, 400);
      assert.deepEqual(error.body, {
        code: "PropertyChangeNotAllowed",
        target,
        message: `Changing property '${target}' is not allowed.`,
      });
    });
  }

  test(`id, name and type are compared without case and keep theirs, ${version.name}`, () => {
    const current = installedCluster(version);
    const body = {
      id: current.id.toUpperCase(),
      name: current.name.toUpperCase(),
      type: current.type.toUpperCase(),
    };
    const updated = applyClusterRequest(testRequest({ version, method: "PATCH", current, body }));
    assert.deepEqual([updated.id, updated.name, updated.type], [current.id, current.name, current.type]);
  });

  test(`the region is the same in any case, but does not change its case, ${version.name}`, () => {
    const current = installedCluster(version);
    const error = errorOf(testRequest({ version, method: "PATCH", current, body: { location: "EastUS" } }));
    assert.equal(error.body.code, "PropertyChangeNotAllowed");
    assert.equal(error.body.target, "location");
  });
}

const everything: JsonObject = Object.values(changes)
  .filter((body) => JSON.stringify(body) !== JSON.stringify(changes["properties.workerProfiles"]))
  .reduce(merged, { location: "EastUS" });

const orders: Readonly<Record<string, readonly string[]>> = {
  "2019-12-31-preview": [
    "location",
    "properties.provisioningState",
    "properties.clusterProfile.pullSecret",
    "properties.clusterProfile.domain",
    "properties.clusterProfile.version",
    "properties.networkProfile.podCidr",
    "properties.networkProfile.serviceCidr",
    "properties.masterProfile.vmSize",
    "properties.masterProfile.subnetId",
    "properties.workerProfiles['Worker'].name",
    "properties.workerProfiles['Worker'].vmSize",
    "properties.apiserverProfile.visibility",
    "properties.ingressProfiles['default'].visibility",
  ],
  "2025-07-25": [
    "location",
    "properties.apiserverProfile.visibility",
    "properties.clusterProfile.domain",
    "properties.clusterProfile.pullSecret",
    "properties.clusterProfile.version",
    "properties.ingressProfiles['default'].visibility",
    "properties.masterProfile.subnetId",
    "properties.masterProfile.vmSize",
    "properties.networkProfile.podCidr",
    "properties.networkProfile.serviceCidr",
    "properties.provisioningState",
    "properties.workerProfiles['Worker'].name",
    "properties.workerProfiles['Worker'].vmSize",
  ],
};

for (const version of [first, newest]) {
  test(`changes are reported in the order of ${version.name}, all of them`, () => {
    const current = installedCluster(version);
    const { body } = errorOf(testRequest({ version, method: "PATCH", current, body: everything }));
    assert.deepEqual(
      body.details?.map(({ target }) => target),
      orders[version.name],
    );
    assert.equal(body.target, body.details?.[0]?.target);
    assert.equal(body.message, body.details?.[0]?.message);
  });
}

const readOnly: readonly (readonly [target: string, body: JsonObject])[] = [
  ["systemData", { systemData: {} }],
  ["properties.workerProfilesStatus", { properties: { workerProfilesStatus: [] } }],
  ["properties.clusterProfile.oidcIssuer", { properties: { clusterProfile: { oidcIssuer: "" } } }],
  [
    "properties.networkProfile.loadBalancerProfile.effectiveOutboundIps",
    { properties: { networkProfile: { loadBalancerProfile: { effectiveOutboundIps: [] } } } },
  ],
  ["properties.consoleProfile.url", { properties: { consoleProfile: { url: "https://x/" } } }],
  ["properties.apiserverProfile.url", { properties: { apiserverProfile: { url: "https://x/" } } }],
  ["properties.apiserverProfile.ip", { properties: { apiserverProfile: { ip: "203.0.113.4" } } }],
  ["properties.ingressProfiles['default'].ip", { properties: { ingressProfiles: [{ ip: "203.0.113.5" }] } }],
];

for (const [target, body] of readOnly) {
  test(`${target} is refused by 2025-07-25, the stored value as well`, () => {
    const current = installedCluster(newest);
    const error = errorOf(testRequest({ version: newest, method: "PATCH", current, body }));
    assert.equal(error.body.code, "PropertyChangeNotAllowed");
    assert.equal(error.body.target, target);
  });
}

test("read-only fields are reported in their order as well", () => {
  const current = installedCluster(newest);
  const body = readOnly.map(([, each]) => each).reduce(merged);
  const error = errorOf(testRequest({ version: newest, method: "PATCH", current, body }));
  assert.deepEqual(
    error.body.details?.map(({ target }) => target),
    [
      "properties.apiserverProfile.ip",
      "properties.apiserverProfile.url",
      "properties.clusterProfile.oidcIssuer",
      "properties.consoleProfile.url",
      "properties.ingressProfiles['default'].ip",
      "properties.networkProfile.loadBalancerProfile.effectiveOutboundIps",
      "properties.workerProfilesStatus",
      "systemData",
    ],
  );
});

test("an invalid field is not reported again as changed", () => {
  const current = installedCluster(newest);
  const body = {
    location: "westus",
    properties: { provisioningState: "Sleeping", workerProfiles: [{ count: 9 }] },
  };
  const error = errorOf(testRequest({ version: newest, method: "PATCH", current, body }));
  assert.deepEqual(
    error.body.details?.map(({ target }) => target),
    ["location", "properties.provisioningState", "properties.workerProfiles['worker'].count"],
  );
});

test("2025-07-25 tolerates empty addresses", () => {
  const current = installedCluster(newest);
  const body = {
    properties: {
      consoleProfile: { url: "" },
      apiserverProfile: { url: "", ip: "" },
      ingressProfiles: [{ ip: "" }],
    },
  };
  const updated = applyClusterRequest(testRequest({ version: newest, method: "PATCH", current, body }));
  assert.equal(updated.properties.apiserverProfile.ip, current.properties.apiserverProfile.ip);
  assert.equal(updated.properties.ingressProfiles[0]?.ip, current.properties.ingressProfiles[0]?.ip);
  assert.equal(updated.properties.consoleProfile?.url, current.properties.consoleProfile?.url);
});

test("the first version lets addresses be repeated, not changed", () => {
  const current = installedCluster(first);
  const repeat = { properties: { apiserverProfile: { ip: "203.0.113.4" } } };
  assert.doesNotThrow(() =>
    applyClusterRequest(testRequest({ version: first, method: "PATCH", current, body: repeat })),
  );
  const change = { properties: { apiserverProfile: { ip: "203.0.113.9" } } };
  const error = errorOf(testRequest({ version: first, method: "PATCH", current, body: change }));
  assert.equal(error.body.target, "properties.apiserverProfile.ip");
});

test("clients exchange credentials, tags and the number of outbound addresses", () => {
  const current = installedCluster(newest);
  const clientId = "9a9a9a9a-6a47-4a0b-9a2c-6f2b8f5f3f10";
  const body = {
    tags: { a: "b" },
    properties: {
      servicePrincipalProfile: { clientId, clientSecret: "second-secret" },
      networkProfile: { loadBalancerProfile: { managedOutboundIps: { count: 7 } } },
    },
  };
  const updated = applyClusterRequest(testRequest({ version: newest, method: "PATCH", current, body }));
  const { servicePrincipalProfile: sp, networkProfile } = updated.properties;
  assert.deepEqual(updated.tags, { a: "b" });
  assert.equal(sp?.clientId, clientId);
  assert.equal(sp?.clientSecret.reveal(), "second-secret");
  assert.equal(networkProfile.loadBalancerProfile?.managedOutboundIps?.count, 7);
});

const effective = "properties.networkProfile.loadBalancerProfile.effectiveOutboundIps";

test("2023-07-01-preview takes outbound addresses back as it showed them, or not at all", () => {
  const version = versionNamed("2023-07-01-preview");
  const current = installedCluster(version);
  const echo = sendable(version, toExternal(version, current, "read"));
  const withAddresses = (effectiveOutboundIps: JsonValue | undefined) =>
    merged(echo, { properties: { networkProfile: { loadBalancerProfile: { effectiveOutboundIps } } } });
  for (const body of [echo, withAddresses(undefined)]) {
    const { networkProfile } = applyClusterRequest(testRequest({ version, current, body })).properties;
    assert.deepEqual(networkProfile, current.properties.networkProfile);
  }
  for (const other of [[], [{ id: "other" }], [{ id: "other" }, { id: "another" }]]) {
    const error = errorOf(testRequest({ version, current, body: withAddresses(other) }));
    assert.deepEqual([error.body.code, error.body.target], ["PropertyChangeNotAllowed", effective]);
  }
});

test("an element without a name is reported by its index in 2025-07-25 and by an empty name before", () => {
  for (const [version, target] of [
    [versionNamed("2024-08-12-preview"), "properties.workerProfiles[''].name"],
    [newest, "properties.workerProfiles[0].name"],
  ] as const) {
    const current = installedCluster(version);
    const external = sendable(version, toExternal(version, current, "read"));
    const body = merged(external, { properties: { workerProfiles: [{ name: undefined }] } });
    assert.equal(errorOf(testRequest({ version, current, body })).body.target, target);
  }
});

const identities = "properties.platformWorkloadIdentityProfile.platformWorkloadIdentities";

test("an operator's identity cannot be taken away", () => {
  const current = installedCluster(newest, identityBody(newest));
  const external = toExternal(newest, current, "read");
  const body = sendable(newest, external);
  const renamed = merged(body, {
    properties: { platformWorkloadIdentityProfile: { platformWorkloadIdentities: { ingress: undefined } } },
  });
  const error = errorOf(testRequest({ version: newest, current, body: renamed }));
  assert.deepEqual(error.body, {
    code: "PropertyChangeNotAllowed",
    target: identities,
    message: "Operator identity cannot be removed or have its name changed.",
  });
});

test("a service principal cluster does not become one with identities", () => {
  const current = installedCluster(newest);
  const body = merged(sendable(newest, toExternal(newest, current, "read")), {
    identity: identityBody(newest).identity,
    properties: {
      servicePrincipalProfile: { clientId: "", clientSecret: "" },
      platformWorkloadIdentityProfile: { platformWorkloadIdentities: { ingress: { resourceId: "x" } } },
    },
  });
  const error = errorOf(testRequest({ version: newest, current, body }));
  assert.ok(error.body.details?.some(({ target }) => target === "identity"));
});
