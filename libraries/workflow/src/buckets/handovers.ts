/** Move of a bucket between live workers. The new owner can use the bucket after the previous owner has read the allocation. */
export interface Handover {
  readonly bucket: number;
  readonly from: string;
  /** Generation of the allocation that moves the bucket. */
  readonly generation: number;
}

/** State that a worker writes with each heartbeat. */
export interface PoolWorkerState {
  readonly id: string;
  /**
   * Generation of the newest allocation that the worker has applied. Undefined for workers of earlier releases, which do not
   * support handovers. The new owner of a bucket does not wait for these workers.
   */
  readonly generation?: number;
}

/**
 * Returns the handovers that are not complete: the previous owner is alive and has not yet applied the allocation that moves the
 * bucket.
 */
export function pendingHandovers(
  handovers: readonly Handover[],
  workers: readonly PoolWorkerState[],
): readonly Handover[] {
  const followed = new Map(workers.map(({ id, generation }) => [id, generation]));
  return handovers.filter(({ from, generation }) => (followed.get(from) ?? generation) < generation);
}

/**
 * Returns the buckets that move from an owner in the allocation `current` to a different owner in the allocation `next`.
 * `generation` is the generation of `next`.
 */
export function handoversBetween(
  current: readonly string[],
  next: readonly string[],
  generation: number,
): readonly Handover[] {
  return next.flatMap((owner, bucket) => {
    const from = current[bucket] ?? "";
    return from === "" || from === owner ? [] : [{ bucket, from, generation }];
  });
}
