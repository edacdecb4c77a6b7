/** Process that shares work with processes of the same kind. Partition: the kind, for example `mimo-scheduler`. */
export interface PoolWorkerDocument {
  readonly id: string;
  readonly partitionKey: string;
  /** Generation of the newest bucket allocation that the worker has read. */
  readonly generation?: number;
  /** Duration of the bucket lease in seconds. Each heartbeat renews the lease. */
  readonly ttlSeconds?: number;
  /** IDs of the maintenance tasks that an actuator can execute. Undefined for other processes. */
  readonly tasks?: readonly string[];
}

/** Allocation of the buckets to workers. ID and partition are the kind of the workers. */
export interface BucketAllocationDocument {
  readonly id: string;
  readonly partitionKey: string;
  /** Worker ID of each bucket, by bucket number. */
  readonly buckets: readonly string[];
  /** Generation of the allocation. It increases with every new allocation. */
  readonly generation?: number;
  /** Moved buckets. Their previous workers have not read the new allocation yet. */
  readonly handovers?: readonly {
    readonly bucket: number;
    readonly from: string;
    readonly generation: number;
  }[];
}
