import type { AsyncOperation, ProvisioningState, ResourceKey } from "@keelson/arm";
import type { OpenShiftCluster } from "../cluster/open-shift-cluster.ts";

/** The request that an operation serves, so that its logs and calls carry the same IDs to the end. */
export interface CorrelationData {
  readonly correlationId?: string;
  readonly clientRequestId?: string;
  /** The administrator who called. */
  readonly clientPrincipalName?: string;
  readonly requestId: string;
  readonly operationId: string;
  readonly requestTime: string;
  /** W3C Trace Context of the request, where it is traced. */
  readonly traceParent?: string;
}

/** Partition: subscription ID, lower case. Operations, journal and subscriptions have the same. */
export interface ClusterDocument {
  readonly id: string;
  readonly partitionKey: string;
  readonly key: ResourceKey;
  readonly clusterResourceGroupIdKey: string;
  readonly clientIdKey: string;
  /** 0 to 255; shares clusters out among monitors. */
  readonly bucket: number;
  /** The operation in progress. Absent once its result is committed. */
  readonly asyncOperationId?: string;
  readonly correlationData?: CorrelationData;
  readonly openShiftCluster: OpenShiftCluster;
}

export interface OperationDocument {
  /** The operation ID, a UUID. */
  readonly id: string;
  readonly partitionKey: string;
  readonly openShiftClusterKey: ResourceKey;
  /** The state that it works off, which `asyncOperation` shows until it ends; absent from what older releases wrote. */
  readonly kind?: ProvisioningState;
  readonly correlationId?: string;
  readonly asyncOperation: AsyncOperation;
  /** The cluster when the operation ended; absent while it runs and after a delete. */
  readonly openShiftCluster?: OpenShiftCluster;
}

/** One step of one operation. A finished step is never run again. */
export interface JournalDocument {
  /** `{operationId}.{step}` */
  readonly id: string;
  readonly partitionKey: string;
  readonly operationId: string;
  readonly openShiftClusterKey: ResourceKey;
  readonly step: string;
  readonly state: "running" | "finished" | "failed";
  /** Number of starts of the step. */
  readonly attempt: number;
  /** Worker and lease generation of the last start. */
  readonly worker: string;
  readonly generation: number;
  /** Number of acquisitions of the cluster since it entered the queue. */
  readonly dequeues?: number;
  readonly startedAt: string;
  readonly finishedAt?: string;
  readonly error?: string;
}
