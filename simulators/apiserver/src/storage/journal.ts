import { randomBytes } from "node:crypto";

/** A change as it is made durable. `value` is absent for a deletion. */
export interface JournalRecord {
  readonly cluster: number;
  readonly revision: number;
  readonly bucket: string;
  readonly key: string;
  readonly value: Uint8Array | undefined;
}

/** A logical cluster as it is stored. */
export interface ClusterRecord {
  readonly id: number;
  readonly name: string;
  /** The JSON of what the cluster was created with. */
  readonly settings: string;
  /** Changes up to here are no longer told apart. */
  readonly compacted: number;
}

/** Where changes become durable. What a call resolved for survives a crash of the process and the loss of power. */
export interface Journal extends AsyncDisposable {
  /** Random bytes that stay the same as long as the journal: what the server signs for itself is signed with them. */
  readonly secret: Uint8Array;
  clusters(): Promise<readonly ClusterRecord[]>;
  addCluster(name: string, settings: string): Promise<ClusterRecord>;
  removeCluster(id: number): Promise<void>;
  /** The changes of a cluster in the order of their revisions, some at a time. */
  read(cluster: number): AsyncIterable<readonly JournalRecord[]>;
  /** All or nothing. Returns nothing when it is done at once. */
  append(records: readonly JournalRecord[]): Promise<void> | undefined;
  /** Forgets the changes `obsolete`, and remembers that the history starts after `compacted`. */
  compact(cluster: number, compacted: number, obsolete: readonly number[]): Promise<void>;
}

/** A journal that forgets: for clusters that need not outlive their process. */
export function memoryJournal(): Journal {
  let lastId = 0;
  return {
    secret: randomBytes(32),
    clusters: async () => [],
    addCluster: async (name, settings) => ({ id: ++lastId, name, settings, compacted: 0 }),
    removeCluster: async () => undefined,
    async *read() {},
    append: () => undefined,
    compact: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
}
