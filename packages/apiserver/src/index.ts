export type { ApiServer, ApiServerOptions } from "./api-server.ts";
export { builtinTypes } from "./catalogue/index.ts";
export type { KubeObject, ObjectMeta, OwnerReference } from "./kube-object.ts";
export type {
  ClusterClient,
  DeleteOptions,
  ListOptions,
  LogicalCluster,
  LogicalClusterOptions,
  ObjectKey,
  ObjectList,
  ResourceRef,
  StaticToken,
  WatchEvent,
} from "./logical-cluster.ts";
export type { PrinterColumn, ResourceType } from "./resource-type.ts";
export { startApiServer } from "./start-api-server.ts";
export { type Status, type StatusCause, type StatusDetails, StatusError } from "./status/status-error.ts";
