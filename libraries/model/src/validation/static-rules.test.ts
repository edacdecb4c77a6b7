import assert from "node:assert/strict";
import { test } from "node:test";
import { apiVersions } from "../api-versions/api-versions.ts";
import type { ApiVersion } from "../api-versions/version.ts";
import { errorOf, merged } from "../testing/rule-table.ts";
import { hasField, testRequest, validBody } from "../testing/test-cluster.ts";

/** Cluster with an invalid value in every profile. */
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

/** Validation order of the first version. Workers are validated before the API server, and the ingress is always validated. */
const firstOrder = [
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
];

/** Validation order of all later versions. Each version skips the fields that it lacks. */
const laterOrder = [
  ...resource,
  "identity",
  ...clusterProfile,
  "clusterProfile.fipsValidatedModules",
  "consoleProfile.url",
  ...servicePrincipal,
  ...cidrs,
  "networkProfile.SoftwareDefinedNetwork",
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
];

function isIn(version: ApiVersion, target: string): boolean {
  const path = target.replace(/\['\w+'\]/, "[]").replace("SoftwareDefined", "softwareDefined");
  return ["", "properties."].some((prefix) => hasField(version.fields, prefix + path));
}

for (const [index, version] of apiVersions.entries()) {
  test(`violations come in the order of ${version.name}`, () => {
    const softwareDefinedNetwork = isIn(version, "networkProfile.softwareDefinedNetwork") ? "x" : undefined;
    const body = merged(merged(validBody(version), wrong), {
      properties: { networkProfile: { softwareDefinedNetwork } },
    });
    const { details = [] } = errorOf(testRequest({ version, body })).body;
    const targets = details.map(({ target = "" }) => target.replace(/^properties\./, ""));
    const order = index === 0 ? firstOrder : laterOrder.filter((target) => isIn(version, target));
    assert.deepEqual([...new Set(targets)], order);
  });
}
