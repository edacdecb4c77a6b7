export {
  type AsyncOperation,
  isTerminal,
  type OperationUrls,
  operationUrls,
  type ProvisioningState,
  provisioningStates,
} from "./async-operation.ts";
export {
  asCloudError,
  CloudError,
  type CloudErrorBody,
  type CloudErrorCode,
  cloudErrorStatus,
  flattenCloudError,
} from "./cloud-error.ts";
export { clusterId, clusterResourceType, clusterType, providerNamespace } from "./provider.ts";
export {
  formatResourceId,
  parseResourceId,
  type ResourceId,
  type ResourceKey,
  resourceGroupId,
  resourceGroupNameOf,
  resourceKey,
  resourceNameOf,
  sameResource,
} from "./resource-id.ts";
export { isResourceName, parseResourceIdOfCluster } from "./resource-id-of-cluster.ts";
export { nextLink, type SkipTokenKeys, SkipTokenSealer } from "./skip-token.ts";
export { overlaySystemData, parseSystemData, type SystemData } from "./system-data.ts";
