/** Process that shares work with other processes of its kind. Partition: the kind, for example `mimo-scheduler`. */
export interface PoolWorkerDocument {
  readonly id: string;
  readonly partitionKey: string;
  /** Generation of the newest bucket allocation that the worker has read. */
  readonly generation?: number;
  /** Lifetime of the document in seconds, and duration of the bucket lease. Each heartbeat renews both. */
  readonly ttlSeconds?: number;
  /** IDs of the maintenance tasks that an actuator can execute. Undefined for all processes except actuators. */
  readonly tasks?: readonly string[];
}

/** Allocation of the buckets to workers. The document's ID and partition are the kind of the workers. */
export interface BucketAllocationDocument {
  readonly id: string;
  readonly partitionKey: string;
  /** ID of the worker for each bucket. The index is the bucket number. */
  readonly buckets: readonly string[];
  /** Generation of the allocation. It increases with every new allocation. */
  readonly generation?: number;
  /** Buckets that moved to a different worker. Their previous workers have not read the new allocation yet. */
  readonly handovers?: readonly {
    readonly bucket: number;
    readonly from: string;
    readonly generation: number;
  }[];
}
