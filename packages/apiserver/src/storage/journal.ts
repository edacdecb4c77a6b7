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

/** Where changes become durable. What `append` returned from survives a crash of the process. */
export interface Journal extends Disposable {
  clusters(): readonly ClusterRecord[];
  addCluster(name: string, settings: string): ClusterRecord;
  removeCluster(id: number): void;
  /** The changes of a cluster in the order of their revisions. */
  read(cluster: number): Iterable<JournalRecord>;
  /** All or nothing. */
  append(records: readonly JournalRecord[]): void;
  /** Forgets the changes `obsolete`, and remembers that the history starts after `compacted`. */
  compact(cluster: number, compacted: number, obsolete: readonly number[]): void;
}

/** A journal that forgets: for clusters that need not outlive their process. */
export function memoryJournal(): Journal {
  let lastId = 0;
  return {
    clusters: () => [],
    addCluster: (name, settings) => ({ id: ++lastId, name, settings, compacted: 0 }),
    removeCluster: () => undefined,
    read: () => [],
    append: () => undefined,
    compact: () => undefined,
    [Symbol.dispose]: () => undefined,
  };
}
