export { appliedConfiguration, type ObjectWithAbsent } from "./applied-configuration.ts";
export { type KubeEndpoint, kubeEndpoint } from "./connect-options.ts";
export { ConnectionPool } from "./connection-pool.ts";
export { createKubeconfig, kubeconfigWithToken } from "./create-kubeconfig.ts";
export { customResourceDefinition } from "./custom-resource-definition.ts";
export { differences } from "./differences.ts";
export { hasUnnamedMembers, hiddenDifferences } from "./hidden-differences.ts";
export type {
  JsonPatchStep,
  KubeApi,
  KubeList,
  ListSelection,
  Selection,
  WatchOptions,
} from "./kube-api.ts";
export {
  connectInCluster,
  connectKube,
  type KubeClient,
  type KubeOptions,
} from "./kube-client.ts";
export {
  isAlreadyExists,
  isConflict,
  isExpired,
  isKubeNotFound,
  KubeError,
} from "./kube-error.ts";
export type { KubeObject, ObjectKey, ObjectMeta, OwnerReference } from "./kube-object.ts";
export { apiVersionOf, type KubeResource, resources } from "./kube-resource.ts";
export { conditionOf, listAt, numberAt, textAt, valueAt } from "./object-fields.ts";
export { detailsOf, reasonsOf, violationsOf } from "./pod-security/evaluate.ts";
export {
  isStricter,
  type LevelVersion,
  type PodSecurityLevel,
  podSecurityLevels,
} from "./pod-security/level.ts";
export { podView } from "./pod-security/pod-view.ts";
export {
  ClusterResponses,
  type ExceededLimit,
  limitExceededMetric,
} from "./responses/cluster-responses.ts";
export { type Fields, objectFields } from "./responses/fields.ts";
export { clusterLimits } from "./responses/response-limits.ts";
export {
  type ReaderOptions,
  wholeValue,
} from "./responses/response-reader.ts";
export { inClusterServer } from "./service-account-access.ts";
export type { ServiceAccountToken } from "./token-request.ts";
export type { WatchEvent } from "./watch.ts";
