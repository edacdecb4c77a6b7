export type {
  AggregatedResource,
  NamedCall,
  ResourceCall,
  ResourceHandlers,
  SubresourceHandlers,
} from "./aggregated/aggregated-resource.ts";
export type { OpenAnswer, OpenPath, OpenRequest } from "./aggregated/open-path.ts";
export type { ApiServer, ApiServerOptions } from "./api-server.ts";
export type { Attributes } from "./auth/attributes.ts";
export { allAuthenticated, serviceAccountGroups, serviceAccountName, type User } from "./auth/user.ts";
export { quantityOf } from "./catalogue/quantity.ts";
export type { ApiFaults, FaultableRequest, RequestFault } from "./faults/api-faults.ts";
export {
  type NetworkAddress,
  type ServiceRoute,
  WebhookFailure,
  type WebhookService,
} from "./http/webhook-client.ts";
export { builtinTypes } from "./kinds/builtin-types.ts";
export { kubernetesVersion } from "./kinds/kubernetes-version.ts";
export type { KubeObject, ObjectMeta, OwnerReference } from "./kube-object.ts";
export type {
  AttachOptions,
  ExecOptions,
  Kubelet,
  LogOptions,
  NodeAnswer,
  NodeRequest,
  ProcessStreams,
  TerminalSize,
} from "./kubelet.ts";
export type {
  ApplyOptions,
  ClusterClient,
  ClusterTrust,
  DeleteOptions,
  ListOptions,
  LogicalCluster,
  LogicalClusterOptions,
  ObjectKey,
  ObjectList,
  ResourceRef,
  ServedRequests,
  ServiceAccountToken,
  ServiceAccountTokenRequest,
  StaticToken,
  TokenAuthenticator,
  TokenUser,
  WatchEvent,
} from "./logical-cluster.ts";
export type { Admission, AdmissionRequest } from "./registry/admission.ts";
export type { PrinterColumn, ResourceType } from "./resource-type.ts";
export { startApiServer } from "./start-api-server.ts";
export { type Status, type StatusCause, type StatusDetails, StatusError } from "./status/status-error.ts";
