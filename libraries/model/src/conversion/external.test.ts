import assert from "node:assert/strict";
import { test } from "node:test";
import { Secret } from "@keelson/base";
import { identityBody, installedCluster, versionNamed } from "../testing/test-cluster.ts";
import { toExternal } from "./external.ts";

const first = versionNamed("2019-12-31-preview");
const newest = versionNamed("2025-07-25");
const sparse = {
  id: "",
  name: "",
  type: "",
  location: "",
  properties: {
    provisioningState: "Creating" as const,
    architectureVersion: 1,
    createdAt: "",
    createdBy: "",
    clusterProfile: { domain: "", version: "", resourceGroupId: "" },
    networkProfile: { podCidr: "", serviceCidr: "" },
    masterProfile: { vmSize: "", subnetId: "" },
    workerProfiles: [],
    apiserverProfile: { visibility: "Public" as const },
    ingressProfiles: [],
  },
};

test("the newest version always shows systemData and five profiles", () => {
  assert.deepEqual(toExternal(newest, sparse, "read"), {
    systemData: {},
    properties: {
      provisioningState: "Creating",
      clusterProfile: {},
      consoleProfile: {},
      networkProfile: {},
      masterProfile: {},
      workerProfiles: [],
      apiserverProfile: { visibility: "Public" },
      ingressProfiles: [],
    },
  });
});

test("the first version always shows the console, and no empty lists", () => {
  assert.deepEqual(toExternal(first, sparse, "read"), {
    properties: {
      provisioningState: "Creating",
      clusterProfile: {},
      consoleProfile: {},
      networkProfile: {},
      masterProfile: {},
      apiserverProfile: { visibility: "Public" },
    },
  });
});

test("responses to writes omit the worker status", () => {
  const cluster = installedCluster(newest);
  const statusOf = (purpose: "read" | "write") =>
    JSON.parse(JSON.stringify(toExternal(newest, cluster, purpose))).properties.workerProfilesStatus;
  assert.equal(statusOf("read").length, 1);
  assert.equal(statusOf("write"), undefined);
});

test("the first version shows the workers that were asked for, not those that are there", () => {
  const cluster = installedCluster(first);
  const { workerProfiles } = JSON.parse(JSON.stringify(toExternal(first, cluster, "read"))).properties;
  assert.equal(cluster.properties.workerProfilesStatus?.[0]?.count, 2);
  assert.equal(workerProfiles[0].count, 3);
});

test("identities are shown with what the service knows, but not where their credentials are", () => {
  const external = toExternal(newest, installedCluster(newest, identityBody(newest)), "read");
  const text = JSON.stringify(external);
  assert.match(text, /"identity":\{"type":"UserAssigned"/);
  assert.match(text, /"principalId":"identity-principal"/);
  assert.match(text, /"objectId":"ingress-object"/);
  assert.doesNotMatch(text, /identityURL|identity\.example/);
});

test("the identity is the last property, and maps are sorted by key", () => {
  const cluster = installedCluster(newest, identityBody(newest));
  const profile = cluster.properties.platformWorkloadIdentityProfile;
  const identities = Object.entries(profile?.platformWorkloadIdentities ?? {});
  const properties = {
    ...cluster.properties,
    platformWorkloadIdentityProfile: {
      ...profile,
      platformWorkloadIdentities: Object.fromEntries(identities.toReversed()),
    },
  };
  const external = JSON.parse(JSON.stringify(toExternal(newest, { ...cluster, properties }, "read")));
  assert.equal(Object.keys(external).at(-1), "identity");
  assert.deepEqual(Object.keys(external.identity), ["type", "tenantId", "userAssignedIdentities"]);
  const { platformWorkloadIdentities } = external.properties.platformWorkloadIdentityProfile;
  assert.deepEqual(Object.keys(platformWorkloadIdentities), ["ingress", "machine-api"]);
});

test("nothing internal is shown, whatever the cluster holds", () => {
  const cluster = installedCluster(newest);
  const hidden = new Secret("hush");
  const full = {
    ...cluster,
    properties: {
      ...cluster.properties,
      sshKey: hidden,
      adminKubeconfig: hidden,
      userAdminKubeconfig: hidden,
      kubeadminPassword: hidden,
    },
  };
  for (const version of [first, newest]) {
    const text = JSON.stringify(toExternal(version, full, "read"));
    assert.doesNotMatch(
      text,
      /hush|REDACTED|sshKey|ubeconfig|kubeadmin|infraId|intIp|spObjectId|operatorFlags/,
    );
  }
});
