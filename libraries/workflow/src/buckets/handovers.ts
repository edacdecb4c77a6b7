/** A bucket that moved from one living worker to another, which has it once the first one has read so. */
export interface Handover {
  readonly bucket: number;
  readonly from: string;
  /** Of the allocation that moved it. */
  readonly generation: number;
}

/** What a worker says of itself with each sign of life. */
export interface PoolWorkerState {
  readonly id: string;
  /** Of the newest allocation that it has followed; absent in what versions before handovers write, which no worker waits for. */
  readonly generation?: number;
}

/** Those whose earlier owner lives and may still work with the bucket. */
export function pendingHandovers(
  handovers: readonly Handover[],
  workers: readonly PoolWorkerState[],
): readonly Handover[] {
  const followed = new Map(workers.map(({ id, generation }) => [id, generation]));
  return handovers.filter(({ from, generation }) => (followed.get(from) ?? generation) < generation);
}

/** What the allocation of `generation` begins. */
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
