export { appliedConfiguration, type ObjectWithAbsent } from "./applied-configuration.ts";
export { conditionStatus, findCondition } from "./conditions.ts";
export { type KubeEndpoint, kubeEndpoint } from "./connect-options.ts";
export { ConnectionPool } from "./connection-pool.ts";
export { createKubeconfig, type KubeconfigRequest, kubeconfigWithToken } from "./create-kubeconfig.ts";
export { customResourceDefinition, type DefinitionSchemas } from "./custom-resource-definition.ts";
export { differences } from "./differences.ts";
export { hasUnnamedMembers, hiddenDifferences } from "./hidden-differences.ts";
export type {
  ApplyOptions,
  DeleteOptions,
  DryRun,
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
  type KubeClientOptions,
  type KubeOptions,
  type KubePage,
  type LogOptions,
} from "./kube-client.ts";
export {
  isAlreadyExists,
  isConflict,
  isExpired,
  isKubeNotFound,
  KubeError,
  type KubeErrorSubject,
} from "./kube-error.ts";
export type { ExecOutput, ExecRequest } from "./kube-exec.ts";
export type { KubeObject, ObjectKey, ObjectMeta, OwnerReference } from "./kube-object.ts";
export { apiVersionOf, type KubeResource, resources } from "./kube-resource.ts";
export { detailsOf, reasonsOf, violationsOf } from "./pod-security/evaluate.ts";
export {
  isStricter,
  type LevelVersion,
  type PodSecurityLevel,
  podSecurityLevels,
} from "./pod-security/level.ts";
export { type PodView, podView, type Violation } from "./pod-security/pod-view.ts";
export { parseQuantity } from "./quantity.ts";
export {
  ClusterResponses,
  type ClusterResponsesOptions,
  type ExceededLimit,
  limitExceededMetric,
} from "./responses/cluster-responses.ts";
export { type Fields, objectFields } from "./responses/fields.ts";
export { clusterLimits, type ResponseLimit, type ResponseLimits } from "./responses/response-limits.ts";
export {
  type ParsedResponse,
  type ReaderOptions,
  type ResponseSelection,
  wholeValue,
} from "./responses/response-reader.ts";
export { inClusterServer, type ServiceAccountFiles } from "./service-account-access.ts";
export type { ServiceAccountToken } from "./token-request.ts";
export type { WatchEvent } from "./watch.ts";
