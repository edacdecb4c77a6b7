/**
 * Process that shares work with other processes of its kind. Partition: the kind, for example
 * `mimo-scheduler`.
 */
export interface PoolWorkerDocument {
  readonly id: string;
  readonly partitionKey: string;
  /** Generation of the newest bucket allocation that the worker follows. */
  readonly generation?: number;
  /** Lease of the buckets in seconds. Each heartbeat renews it. */
  readonly ttlSeconds?: number;
  /** IDs of the maintenance tasks that an actuator executes. Undefined for other processes. */
  readonly tasks?: readonly string[];
}

/** Owners of the buckets. Its ID and its partition are the kind of the workers. */
export interface BucketAllocationDocument {
  readonly id: string;
  readonly partitionKey: string;
  /** The worker of each bucket, in the order of their numbers. */
  readonly buckets: readonly string[];
  /** Rises whenever buckets are shared out. */
  readonly generation?: number;
  /** Buckets that moved. Their earlier owner has not read the allocation yet. */
  readonly handovers?: readonly {
    readonly bucket: number;
    readonly from: string;
    readonly generation: number;
  }[];
}
