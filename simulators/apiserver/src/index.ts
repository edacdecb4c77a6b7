export type { ApiServer, ApiServerOptions } from "./api-server.ts";
export type { Attributes } from "./auth/attributes.ts";
export type { TokenAuthenticator, TokenUser } from "./auth/token-authenticator.ts";
export { allAuthenticated, serviceAccountGroups, serviceAccountName, type User } from "./auth/user.ts";
export { builtinTypes } from "./builtin/builtin-types.ts";
export { kubernetesVersion } from "./builtin/kubernetes-version.ts";
export { quantityOf } from "./catalogue/quantity.ts";
export type {
  AttachOptions,
  ExecOptions,
  Kubelet,
  LogOptions,
  NodeAnswer,
  NodeRequest,
  ProcessStreams,
  TerminalSize,
} from "./cluster/kubelet.ts";
export type {
  ClusterTrust,
  LogicalCluster,
  LogicalClusterOptions,
  StaticToken,
} from "./cluster/logical-cluster.ts";
export type { OpenAnswer, OpenPath, OpenRequest } from "./cluster/open-path.ts";
export type { ServedRequests } from "./cluster/request-metrics.ts";
export type { ApiFaults, FaultableRequest, RequestFault } from "./faults/api-faults.ts";
export type {
  ApplyOptions,
  ClusterClient,
  DeleteOptions,
  ListOptions,
  ObjectKey,
  ObjectList,
  ResourceRef,
  WatchEvent,
} from "./objects/cluster-client.ts";
export type { KubeObject, ObjectMeta, OwnerReference } from "./objects/kube-object.ts";
export type { PrinterColumn, ResourceType } from "./objects/resource-type.ts";
export type { ServiceAccountToken, ServiceAccountTokenRequest } from "./registry/token-request.ts";
export type { Admission, AdmissionRequest } from "./resources/admission-request.ts";
export type {
  AggregatedResource,
  NamedCall,
  ResourceCall,
  ResourceHandlers,
  SubresourceHandlers,
} from "./resources/aggregated-resource.ts";
export { startApiServer } from "./start-api-server.ts";
export { type Status, type StatusCause, type StatusDetails, StatusError } from "./status/status-error.ts";
export {
  type NetworkAddress,
  type ServiceRoute,
  WebhookFailure,
  type WebhookService,
} from "./webhooks/webhook-client.ts";
