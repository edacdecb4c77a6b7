import type { AsyncOperation, ProvisioningState, ResourceKey } from "@keelson/arm";
import type { OpenShiftCluster } from "../cluster/open-shift-cluster.ts";

/** The request that an operation serves, so that its logs and calls carry the same IDs to the end. */
export interface CorrelationData {
  readonly correlationId?: string;
  readonly clientRequestId?: string;
  /** Administrator who sent the request. */
  readonly clientPrincipalName?: string;
  readonly requestId: string;
  readonly operationId: string;
  readonly requestTime: string;
  /** W3C Trace Context of a traced request. */
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
  /** Operation in progress. Removed when its result is committed. */
  readonly asyncOperationId?: string;
  readonly correlationData?: CorrelationData;
  readonly openShiftCluster: OpenShiftCluster;
}

export interface OperationDocument {
  /** The operation ID, a UUID. */
  readonly id: string;
  readonly partitionKey: string;
  readonly openShiftClusterKey: ResourceKey;
  /**
   * State that the operation works on. `asyncOperation` returns it until the end. Missing in documents of
   * older releases.
   */
  readonly kind?: ProvisioningState;
  readonly correlationId?: string;
  readonly asyncOperation: AsyncOperation;
  /** The cluster when the operation ended; absent while it runs and after a delete. */
  readonly openShiftCluster?: OpenShiftCluster;
}

/** A step of an operation. A finished step is never repeated. */
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
