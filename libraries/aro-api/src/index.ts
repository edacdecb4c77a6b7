export { type AroCluster, clusters, singleton } from "./cluster-resource.ts";
export { defaultOperatorFlags, withNewerFlags } from "./flag-catalogue.ts";
export { flagFault } from "./flag-fault.ts";
export {
  forbiddenGraphRole,
  forbiddenGraphRoleMessage,
  type LinkedRights,
  linkedRights,
} from "./linked-rights.ts";
export type { CustomCloud } from "./manifests/azure-access.ts";
export { inCreationOrder } from "./manifests/creation-order.ts";
export { credentialsRequest } from "./manifests/credentials-request.ts";
export { littleMemory } from "./manifests/deployment.ts";
export { imageVersion, versionLabel, withImageVersion } from "./manifests/image-version.ts";
export { type Manifest, manifest } from "./manifests/manifest.ts";
export {
  credentialsSecretName,
  federatedTokenFile,
  type OperatorRole,
  operatorNameOf,
  operatorNamespace,
  operatorRoles,
  prometheusReader,
} from "./manifests/operator-names.ts";
export { keeping, on, type PolicyRule, type RoleRules, reading } from "./manifests/policy-rule.ts";
export type { OperatorFlag } from "./operator-flag.ts";
export { flagOr, isFlagOn } from "./operator-flags.ts";
export { type PreviewFeature, previewFeatures } from "./preview-feature-resource.ts";
export type { ClusterSpec } from "./schemas/cluster-schema.ts";
