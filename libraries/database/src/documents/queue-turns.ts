/** Queue state of one document, in a form that all stores have. */
export interface QueueEntry {
  readonly partitionKey: string;
  /** Order of entry into the queue. */
  readonly position: number;
  /** 0 if a worker stopped in the middle of its work, otherwise the moment when the partition was served last. */
  readonly turn?: number | undefined;
  /** `lapsed`: the worker died. */
  readonly lease: "none" | "held" | "lapsed";
  /** True if the back-off is over. */
  readonly isReady: boolean;
}

export interface Picked<E extends QueueEntry> {
  /** Documents of one partition, ordered by their entry. */
  readonly entries: readonly E[];
  /** Entry that marks the partition as served: its `turn` is the present moment. */
  readonly next: E | undefined;
}

interface Partition<E> {
  readonly waiting: readonly E[];
  readonly ready: readonly E[];
  readonly room: number;
  readonly turn: number;
}

/**
 * Selects up to `limit` documents: begun ones first, then one of each partition per round, like
 * `acquire_openshift_clusters` in SQL (migration 000040). A partition has at most `maxRunning` leased
 * documents. Partitions are in the order in which they were served.
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
      // Moves to the end: the last partition served is the last of the next round.
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

/** True for a document that counts as running and has no worker. */
export function isBegun({ lease, turn }: Pick<QueueEntry, "lease" | "turn">): boolean {
  return lease === "lapsed" || (lease === "none" && turn === 0);
}
