export { connectInCluster, connectKube, defaultTimeoutMs, type KubeOptions } from "./connect-kube.ts";
export { type KubeEndpoint, kubeEndpoint } from "./connections/connect-options.ts";
export { ConnectionPool } from "./connections/connection-pool.ts";
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
export type { KubeClient, KubeClientOptions, LogOptions } from "./kube-client.ts";
export {
  createKubeconfig,
  type KubeconfigRequest,
  kubeconfigWithToken,
} from "./kubeconfig/create-kubeconfig.ts";
export { inClusterServer, type ServiceAccountFiles } from "./kubeconfig/service-account-access.ts";
export type { KubePage } from "./list-page.ts";
export { appliedConfiguration, type ObjectWithAbsent } from "./objects/applied-configuration.ts";
export { conditionStatus, findCondition } from "./objects/conditions.ts";
export { customResourceDefinition, type DefinitionSchemas } from "./objects/custom-resource-definition.ts";
export { differences } from "./objects/differences.ts";
export type { KubeObject, ObjectKey, ObjectMeta, OwnerReference } from "./objects/kube-object.ts";
export { apiVersionOf, type KubeResource, resources } from "./objects/kube-resource.ts";
export { parseQuantity } from "./objects/quantity.ts";
export { detailsOf, reasonsOf, violationsOf } from "./pod-security/evaluate.ts";
export {
  isStricter,
  type LevelVersion,
  type PodSecurityLevel,
  podSecurityLevels,
} from "./pod-security/level.ts";
export { type PodView, podView, type Violation } from "./pod-security/pod-view.ts";
export {
  ClusterResponses,
  type ClusterResponsesOptions,
  type ExceededLimit,
  limitExceededMetric,
} from "./responses/cluster-responses.ts";
export { type Fields, objectFields } from "./responses/fields.ts";
export {
  isAlreadyExists,
  isConflict,
  isExpired,
  isKubeNotFound,
  KubeError,
  type KubeErrorSubject,
} from "./responses/kube-error.ts";
export { clusterLimits, type ResponseLimit, type ResponseLimits } from "./responses/response-limits.ts";
export {
  type ParsedResponse,
  type ReaderOptions,
  type ResponseSelection,
  wholeValue,
} from "./responses/response-reader.ts";
export type { ExecOutput, ExecRequest } from "./streams/kube-exec.ts";
export type { ServiceAccountToken } from "./token-request.ts";
export type { WatchEvent } from "./watch.ts";
