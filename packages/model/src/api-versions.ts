import { firstVersion } from "./fields/field.ts";
import { clusterProfileRules } from "./rules/cluster-profile.ts";
import {
  identityRules,
  platformIdentityRules,
  servicePrincipalRequired,
  servicePrincipalRules,
} from "./rules/credentials.ts";
import { apiserverRules, ingressRules } from "./rules/endpoints.ts";
import { masterRules, workerCountRule, workerRules, workerStatusRule } from "./rules/machines.ts";
import { hasIngress, loadBalancerRules, networkRules } from "./rules/network.ts";
import { resourceRules } from "./rules/resource.ts";
import { onCreate, onlyIf, onUpdate } from "./rules/rule.ts";
import { type ApiVersion, defineVersion, type VersionDefinition } from "./version.ts";

/**
 * The first version. Scaling by PATCH belongs to it: `count` may change between 2 and 50, as it could when
 * the version was new. Later versions scale in the cluster.
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

/** Its models are generated: another order, exact names, and managed identities beside service principals. */
const v20250725: VersionDefinition = {
  name: "2025-07-25",
  operations: ["listCredentials", "listAdminCredentials"],
  models: "generated",
  changes: {
    "properties.consoleProfile": { presence: "filled" },
    "properties.provisioningState": {
      values: ["Creating", "Updating", "AdminUpdating", "Deleting", "Succeeded", "Failed", "Canceled"],
    },
  },
  rules: [
    ...resourceRules,
    ...identityRules,
    ...clusterProfileRules,
    ...servicePrincipalRules,
    ...onlyIf(hasIngress, networkRules),
    ...loadBalancerRules,
    ...masterRules,
    ...apiserverRules,
    ...platformIdentityRules,
    ...onCreate([workerStatusRule, ...workerRules, ...ingressRules]),
  ],
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

/** The versions of the ARM API, oldest first. */
export const apiVersions: readonly ApiVersion[] = [v20191231preview, v20250725].map(defineVersion);

export function findApiVersion(name: string): ApiVersion | undefined {
  return apiVersions.find((version) => version.name === name);
}
