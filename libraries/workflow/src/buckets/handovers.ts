/**
 * Move of a bucket between living workers. The new owner gets it after the previous one has read the
 * allocation.
 */
export interface Handover {
  readonly bucket: number;
  readonly from: string;
  /** Generation of the allocation that moved it. */
  readonly generation: number;
}

/** State that a worker writes with each heartbeat. */
export interface PoolWorkerState {
  readonly id: string;
  /**
   * Generation of the newest allocation that it has followed. Missing in documents of versions without
   * handovers, for which no worker waits.
   */
  readonly generation?: number;
}

/** Handovers with a living previous owner that may still use the bucket. */
export function pendingHandovers(
  handovers: readonly Handover[],
  workers: readonly PoolWorkerState[],
): readonly Handover[] {
  const followed = new Map(workers.map(({ id, generation }) => [id, generation]));
  return handovers.filter(({ from, generation }) => (followed.get(from) ?? generation) < generation);
}

/** Handovers that the allocation of `generation` starts. */
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
