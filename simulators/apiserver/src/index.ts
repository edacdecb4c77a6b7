export type {
  ApplyOptions,
  ClusterClient,
  DeleteOptions,
  KubeObject,
  ListOptions,
  ObjectKey,
  ObjectList,
  ObjectMeta,
  OwnerReference,
  PrinterColumn,
  ResourceRef,
  ResourceType,
  WatchEvent,
} from "@keelson/apimachinery";
export {
  quantityOf,
  type Status,
  type StatusCause,
  type StatusDetails,
  StatusError,
  sharedTurns,
} from "@keelson/apimachinery";
export {
  type Clock,
  createCertificateAuthority,
  createLogger,
  issueCertificate,
  type KeyPair,
  type Logger,
  silentLogger,
  systemClock,
} from "@keelson/base";
export { builtinTypes, kubernetesVersion } from "@keelson/kinds";
export { readFields } from "@keelson/wire-formats";
export type { ApiServer, ApiServerOptions, OpenedApiServer } from "./api-server.ts";
export type { Attributes } from "./auth/attributes.ts";
export type { EffectiveRules } from "./auth/effective-rules.ts";
export type { PolicyRule } from "./auth/policy-rule.ts";
export type { AllowedSubjects } from "./auth/rbac.ts";
export type { TokenAuthenticator, TokenUser } from "./auth/token-authenticator.ts";
export { allAuthenticated, serviceAccountGroups, serviceAccountName, type User } from "./auth/user.ts";
export type {
  AttachOptions,
  ExecOptions,
  Kubelet,
  LogOptions,
  NodeRequest,
  NodeResponse,
  ProcessStreams,
  TerminalSize,
} from "./cluster/kubelet.ts";
export type {
  ClusterTrust,
  LogicalCluster,
  LogicalClusterOptions,
  StaticToken,
} from "./cluster/logical-cluster.ts";
export type { OpenPath, OpenRequest, OpenResponse } from "./cluster/open-path.ts";
export type { ServedRequests } from "./cluster/request-metrics.ts";
export type { ServingCertificate } from "./cluster/serving-certificates.ts";
export { envtestAssets } from "./envtest-assets.ts";
export type { ApiFaults, FaultableRequest, RequestFault } from "./faults/api-faults.ts";
export { selectsNamespace } from "./quota/namespace-selector.ts";
export type { ServiceAccountToken, ServiceAccountTokenRequest } from "./registry/token-request.ts";
export type { Admission, AdmissionRequest } from "./resources/admission-request.ts";
export type {
  AggregatedResource,
  NamedCall,
  ResourceCall,
  ResourceHandlers,
  SubresourceHandlers,
} from "./resources/aggregated-resource.ts";
export { etcdValue } from "./resources/etcd-value.ts";
export { openApiServer, startApiServer } from "./start-api-server.ts";
export { startTestCluster, type TestCluster, type TestClusterOptions } from "./start-test-cluster.ts";
export {
  type NetworkAddress,
  type ServiceRoute,
  WebhookFailure,
  type WebhookResponder,
  type WebhookService,
} from "./webhooks/webhook-client.ts";
