/** Queue state of one document. All stores provide this format. */
export interface QueueEntry {
  readonly partitionKey: string;
  /** Position by time of entry into the queue. */
  readonly position: number;
  /** Time when the document's partition was last served. 0 if a worker stopped before it finished this document. */
  readonly turn?: number | undefined;
  /** State of the lease. `lapsed`: the worker crashed and its lease expired. */
  readonly lease: "none" | "held" | "lapsed";
  /** True if the backoff is over. */
  readonly isReady: boolean;
}

export interface Picked<E extends QueueEntry> {
  /** Documents of one partition, ordered by entry into the queue. */
  readonly entries: readonly E[];
  /** Next entry of the partition. Its `turn` is set to the current time to mark the partition as served. */
  readonly next: E | undefined;
}

interface Partition<E> {
  readonly waiting: readonly E[];
  readonly ready: readonly E[];
  readonly room: number;
  readonly turn: number;
}

/**
 * Selects up to `limit` documents. Documents with unfinished work come first. The remaining documents are selected in rounds, one
 * per partition and round. In each round, the partition that was served least recently comes first. A partition has at most
 * `maxRunning` leased documents. The SQL function `acquire_openshift_clusters` (migration 000040) has the same rules.
 */
export function pickInTurn<E extends QueueEntry>(
  entries: readonly E[],
  limit: number,
  maxRunning: number,
): { readonly begun: readonly E[]; readonly served: readonly Picked<E>[] } {
  const byEntry = [...entries].sort((one, other) => one.position - other.position);
  const begun = byEntry.filter((entry) => isBegun(entry) && entry.isReady).slice(0, limit);
  const ring = [...Map.groupBy(byEntry, ({ partitionKey }) => partitionKey).values()]
    .map((ofPartition) => partitionOf(ofPartition, maxRunning))
    .filter(({ ready, room }) => room > 0 && ready.length > 0)
    .sort((one, other) => one.turn - other.turn);
  const counts = new Map<Partition<E>, number>();
  let left = limit - begun.length;
  for (let round = 1; left > 0; round++) {
    const inRound = ring.filter(({ ready, room }) => Math.min(room, ready.length) >= round).slice(0, left);
    if (inRound.length === 0) break;
    for (const partition of inRound) {
      // Moves the partition to the end of the map. It is then also the last partition in the next round.
      counts.delete(partition);
      counts.set(partition, round);
    }
    left -= inRound.length;
  }
  const served = [...counts].map(([{ ready, waiting }, count]) => {
    const picked = ready.slice(0, count);
    return { entries: picked, next: waiting.find((entry) => !picked.includes(entry)) };
  });
  return { begun, served };
}

function partitionOf<E extends QueueEntry>(entries: readonly E[], maxRunning: number): Partition<E> {
  const waiting = entries.filter((entry) => entry.lease === "none" && entry.turn !== 0);
  const ready = waiting.filter(({ isReady }) => isReady);
  const turns = waiting.flatMap(({ turn }) => (turn === undefined ? [] : [turn]));
  return {
    waiting,
    ready,
    room: maxRunning - (entries.length - waiting.length),
    turn: turns.length > 0 ? Math.max(...turns) : (ready[0]?.position ?? 0),
  };
}

/** True for a document with unfinished work and no worker. */
export function isBegun({ lease, turn }: Pick<QueueEntry, "lease" | "turn">): boolean {
  return lease === "lapsed" || (lease === "none" && turn === 0);
}
