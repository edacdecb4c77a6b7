import assert from "node:assert/strict";
import { test } from "node:test";
import { apiVersions } from "./api-versions.ts";
import { errorOf, merged } from "./rules/rule-table.ts";
import { testRequest, validBody } from "./test-cluster.ts";

/** Something wrong in every profile. */
const wrong = {
  id: "x",
  name: "x",
  type: "x",
  location: "x",
  identity: {},
  properties: {
    provisioningState: "x",
    clusterProfile: { pullSecret: "x", domain: "X", resourceGroupId: "x", fipsValidatedModules: "x" },
    consoleProfile: { url: ":" },
    servicePrincipalProfile: { clientId: "x", clientSecret: "" },
    networkProfile: {
      podCidr: "x",
      serviceCidr: "x",
      outboundType: "x",
      loadBalancerProfile: { managedOutboundIps: { count: 0 }, effectiveOutboundIps: [] },
    },
    masterProfile: { vmSize: "x", subnetId: "x", encryptionAtHost: "x", diskEncryptionSetId: "x" },
    workerProfiles: [
      { name: "w", vmSize: "x", diskSizeGB: 1, subnetId: "x", count: 1, encryptionAtHost: "x" },
      { name: "w" },
    ],
    workerProfilesStatus: [{}],
    apiserverProfile: { visibility: "x", url: ":", ip: "x" },
    ingressProfiles: [{ name: "i", visibility: "x", ip: "x" }, { name: "i" }],
  },
};

const resource = ["id", "name", "type", "location"];
const clusterProfile = [
  "provisioningState",
  "clusterProfile.pullSecret",
  "clusterProfile.domain",
  "clusterProfile.resourceGroupId",
];
const servicePrincipal = ["servicePrincipalProfile.clientId", "servicePrincipalProfile.clientSecret"];
const cidrs = ["networkProfile.podCidr", "networkProfile.serviceCidr"];
const master = ["masterProfile.vmSize", "masterProfile.subnetId"];
const worker = (member: string) => `workerProfiles['w'].${member}`;
const workers = ["workerProfiles", ...["name", "vmSize", "diskSizeGB", "subnetId"].map(worker)];
const apiserver = ["visibility", "url", "ip"].map((member) => `apiserverProfile.${member}`);
const ingress = [
  "ingressProfiles",
  ...["name", "visibility", "ip"].map((member) => `ingressProfiles['i'].${member}`),
];
const loadBalancer = "networkProfile.loadBalancerProfile";

const orders: Readonly<Record<string, readonly string[]>> = {
  "2019-12-31-preview": [
    ...resource,
    ...clusterProfile,
    "consoleProfile.url",
    ...servicePrincipal,
    ...cidrs,
    ...master,
    ...workers,
    worker("count"),
    ...apiserver,
    ...ingress,
  ],
  "2025-07-25": [
    ...resource,
    "identity",
    ...clusterProfile,
    "clusterProfile.fipsValidatedModules",
    "consoleProfile.url",
    ...servicePrincipal,
    ...cidrs,
    "networkProfile.outboundType",
    `${loadBalancer}.managedOutboundIps.count`,
    `${loadBalancer}.effectiveOutboundIps`,
    ...master,
    "masterProfile.encryptionAtHost",
    "masterProfile.diskEncryptionSetId",
    ...apiserver,
    "workerProfilesStatus",
    ...workers,
    worker("encryptionAtHost"),
    worker("count"),
    ...ingress,
  ],
};

for (const version of apiVersions) {
  test(`violations come in the order of ${version.name}`, () => {
    const { details = [] } = errorOf(testRequest({ version, body: merged(validBody(version), wrong) })).body;
    const targets = details.map(({ target = "" }) => target.replace(/^properties\./, ""));
    assert.deepEqual([...new Set(targets)], orders[version.name]);
  });
}
