import { firstVersion } from "../fields/field.ts";
import { plannedOutboundFields, softwareDefinedNetworkFields } from "../fields/network.ts";
import { clusterProfileRules } from "../rules/cluster-profile.ts";
import {
  clusterIdentityRule,
  identityRules,
  platformIdentityRules,
  servicePrincipalRequired,
  servicePrincipalRules,
} from "../rules/credentials.ts";
import { apiserverRules, ingressRules } from "../rules/endpoints.ts";
import { masterRules, workerCountRule, workerRules, workerStatusRule } from "../rules/machines.ts";
import {
  hasIngress,
  loadBalancerRules,
  networkRules,
  networkRulesWithPlugIn,
  preconfiguredNsgRule,
} from "../rules/network.ts";
import { plannedOutboundRules } from "../rules/planned-outbound.ts";
import { resourceRules } from "../rules/resource.ts";
import { onCreate, onlyIf, onUpdate, type Rule } from "../rules/rule.ts";
import { type ApiVersion, defineVersion, type VersionDefinition } from "./version.ts";

const provisioningStates = ["Creating", "Updating", "AdminUpdating", "Deleting", "Succeeded", "Failed"];

/**
 * Returns the ordered rules of all versions after the first. A version skips rules for fields that the version does not have.
 * `servicePrincipal` is the rule that makes a service principal mandatory in versions without managed identities.
 */
function rulesWith(rules: {
  readonly servicePrincipal?: readonly Rule[];
  readonly network?: readonly Rule[];
}): readonly Rule[] {
  const { servicePrincipal = [], network = onlyIf(hasIngress, networkRules) } = rules;
  return [
    ...resourceRules,
    ...identityRules,
    ...clusterProfileRules,
    ...servicePrincipal,
    ...servicePrincipalRules,
    ...network,
    ...plannedOutboundRules,
    ...loadBalancerRules,
    ...masterRules,
    ...apiserverRules,
    ...platformIdentityRules,
    ...onCreate([workerStatusRule, ...workerRules, ...ingressRules]),
    // The reference service does not have this rule. The rule runs after the reference rules and does not change their order.
    clusterIdentityRule,
    ...onCreate([preconfiguredNsgRule]),
  ];
}

const servicePrincipal = [servicePrincipalRequired];

/**
 * The first API version. In this version, clients scale workers by PATCH. As in the reference service, a PATCH may set `count` to
 * a value from 2 to 50. In later versions, workers are scaled through the cluster's API.
 */
const v20191231preview: VersionDefinition = {
  name: firstVersion,
  operations: ["listCredentials", "credentials"],
  models: "hand-written",
  changes: { "properties.workerProfiles[].count": { mutable: true } },
  rules: [
    ...resourceRules,
    ...clusterProfileRules,
    servicePrincipalRequired,
    ...servicePrincipalRules,
    ...networkRules,
    ...masterRules,
    ...onCreate(workerRules),
    ...onUpdate([workerCountRule]),
    ...apiserverRules,
    ...ingressRules,
  ],
};

/** The ingress cannot change after the cluster's creation, in this version and all later versions. */
const v20200430: VersionDefinition = {
  ...v20191231preview,
  name: "2020-04-30",
  operations: ["listCredentials"],
  changes: {},
  rules: rulesWith({ servicePrincipal, network: networkRules }),
};

/** Only in this version can the customer choose the network plug-in. */
const v20210901preview: VersionDefinition = {
  ...v20200430,
  name: "2021-09-01-preview",
  operations: ["listCredentials", "listAdminCredentials"],
  with: softwareDefinedNetworkFields,
  rules: rulesWith({ servicePrincipal, network: networkRulesWithPlugIn }),
};

const v20220401: VersionDefinition = {
  ...v20200430,
  name: "2022-04-01",
  operations: v20210901preview.operations,
};

const v20220904: VersionDefinition = {
  ...v20220401,
  name: "2022-09-04",
};

/**
 * API version 2023-04-01. From this version on, the rule for outbound connections reads the ingress. The network rules therefore
 * run only if the request contains an ingress.
 */
const v20230401: VersionDefinition = {
  ...v20220904,
  name: "2023-04-01",
  rules: rulesWith({ servicePrincipal }),
};

/** This version declares more load balancer fields than the service implements. The additional fields are rejected. */
const v20230701preview: VersionDefinition = {
  ...v20230401,
  name: "2023-07-01-preview",
  with: plannedOutboundFields,
  changes: {
    "properties.provisioningState": { values: [...provisioningStates, "Cancelled"] },
    // Clients may send this read-only field with an unchanged value. Later versions always reject the field. No other field of
    // this version has this exception.
    "properties.networkProfile.loadBalancerProfile.effectiveOutboundIps": {
      readOnly: { since: "2023-07-01-preview", sent: "refused if changed" },
    },
  },
};

const v20230904: VersionDefinition = {
  ...v20230401,
  name: "2023-09-04",
  without: ["properties.networkProfile.loadBalancerProfile"],
};

const v20231122: VersionDefinition = {
  ...v20230401,
  name: "2023-11-22",
  changes: { "properties.provisioningState": { values: [...provisioningStates, "Canceled"] } },
};

/** This version adds managed identities as an alternative to service principals. */
const v20240812preview: VersionDefinition = {
  ...v20231122,
  name: "2024-08-12-preview",
  rules: rulesWith({}),
};

/**
 * This version has the same fields as the previous version, but generated models. The order of the fields differs, and property
 * names are case-sensitive.
 */
const v20250725: VersionDefinition = {
  ...v20240812preview,
  name: "2025-07-25",
  models: "generated",
  deltaOrder: {
    "": "location identity properties id name systemData type",
    properties:
      "apiserverProfile clusterProfile consoleProfile ingressProfiles masterProfile networkProfile platformWorkloadIdentityProfile provisioningState servicePrincipalProfile workerProfiles workerProfilesStatus",
    "properties.apiserverProfile": "visibility ip url",
    "properties.clusterProfile": "domain fipsValidatedModules pullSecret resourceGroupId version oidcIssuer",
    "properties.masterProfile": "diskEncryptionSetId encryptionAtHost subnetId vmSize",
    "properties.networkProfile": "loadBalancerProfile outboundType podCidr preconfiguredNSG serviceCidr",
    "properties.workerProfiles": "count diskEncryptionSetId diskSizeGB encryptionAtHost name subnetId vmSize",
  },
};

/** All versions of the ARM API for customers, oldest first. */
export const apiVersions: readonly ApiVersion[] = [
  v20191231preview,
  v20200430,
  v20210901preview,
  v20220401,
  v20220904,
  v20230401,
  v20230701preview,
  v20230904,
  v20231122,
  v20240812preview,
  v20250725,
].map(defineVersion);

/** Finds an API version for customers. Undefined for an unknown name. */
export function findApiVersion(name: string): ApiVersion | undefined {
  return apiVersions.find((version) => version.name === name);
}
