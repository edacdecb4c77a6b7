import type { AsyncOperation, ProvisioningState, ResourceKey } from "@keelson/arm";
import type { OpenShiftCluster } from "../cluster/open-shift-cluster.ts";

/**
 * Correlation data of the request that started an operation. All log lines and outgoing requests of the operation contain these
 * IDs.
 */
export interface CorrelationData {
  readonly correlationId?: string;
  readonly clientRequestId?: string;
  /** Administrator who sent the request. */
  readonly clientPrincipalName?: string;
  readonly requestId: string;
  readonly operationId: string;
  readonly requestTime: string;
  /** W3C Trace Context of the request, if the request was traced. */
  readonly traceParent?: string;
}

/** Stored cluster. Partition: lower-case subscription ID. Operations, journals and subscriptions are in the same partition. */
export interface ClusterDocument {
  readonly id: string;
  readonly partitionKey: string;
  readonly key: ResourceKey;
  readonly clusterResourceGroupIdKey: string;
  readonly clientIdKey: string;
  /** Bucket number, 0 to 255. Buckets distribute clusters among monitors. */
  readonly bucket: number;
  /** ID of the operation in progress. The commit that stores the operation's result removes this field. */
  readonly asyncOperationId?: string;
  readonly correlationData?: CorrelationData;
  readonly openShiftCluster: OpenShiftCluster;
}

export interface OperationDocument {
  /** Operation ID, a UUID. */
  readonly id: string;
  readonly partitionKey: string;
  readonly openShiftClusterKey: ResourceKey;
  /**
   * Provisioning state of the cluster during the operation. Unlike the state in `asyncOperation`, it does not change when the
   * operation ends. Undefined in documents of older releases.
   */
  readonly kind?: ProvisioningState;
  readonly correlationId?: string;
  readonly asyncOperation: AsyncOperation;
  /** Cluster at the end of the operation. Undefined during the operation and after a deletion. */
  readonly openShiftCluster?: OpenShiftCluster;
}

/** Journal entry for one step of an operation. A finished step is never repeated. */
export interface JournalDocument {
  /** `{operationId}.{step}` */
  readonly id: string;
  readonly partitionKey: string;
  readonly operationId: string;
  readonly openShiftClusterKey: ResourceKey;
  readonly step: string;
  readonly state: "running" | "finished" | "failed";
  /** Number of times that a worker started the step. */
  readonly attempt: number;
  /** Worker that started the step last, with the generation of its lease. */
  readonly worker: string;
  readonly generation: number;
  /** Number of times that workers have acquired the cluster since it entered the queue. */
  readonly dequeues?: number;
  readonly startedAt: string;
  readonly finishedAt?: string;
  readonly error?: string;
}

/** Log lines of one step of an operation. For each operation, only the newest lines are stored, at most 500 lines and 128 KiB. */
export interface StepLogDocument {
  /** `{operationId}.{step}` */
  readonly id: string;
  readonly partitionKey: string;
  readonly operationId: string;
  readonly openShiftClusterKey: ResourceKey;
  readonly step: string;
  readonly entries: readonly {
    readonly at: string;
    readonly level: "info" | "warning" | "error";
    readonly message: string;
    /** All remaining fields of the log line as JSON. */
    readonly details?: string;
    /** Number of the failed attempt, if the line reports a retry. */
    readonly attempt?: number;
    readonly error?: string;
  }[];
  /** Number of older lines that were removed. */
  readonly omitted: number;
}
