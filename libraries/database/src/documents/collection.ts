/** Common fields of all stored documents. Unknown fields are preserved at every depth. */
export interface Document {
  readonly id: string;
  /**
   * Partition of the document. One commit can write several documents of a partition. In Cosmos DB, the partition is a logical
   * partition.
   */
  readonly partitionKey: string;
}

/**
 * Definition of one kind of document. The migrations in `sql/` create the table `name` with one column for each entry of `keys`.
 * The column name is the key in snake case.
 */
export interface CollectionDefinition<T extends Document> {
  readonly name: string;
  /** Values by which queries find documents. They are computed from the document at every write. */
  readonly keys: Readonly<Record<string, (document: T) => string | number | undefined>>;
  /** Keys with values that must be unique. */
  readonly unique: readonly string[];
  /**
   * Paths of encrypted fields, for example `openShiftCluster.properties.registryProfiles[].password`. In memory, their values are
   * `Secret`s.
   */
  readonly secretPaths: readonly string[];
  /**
   * Time in seconds from the last write to the expiry of a document. A function computes the time for each document. Default:
   * documents do not expire.
   */
  readonly ttlSeconds?: number | ((document: T) => number | undefined);
  /** Makes the collection a work queue. Returns true while the document waits for a worker or a worker processes it. */
  readonly queued?: (document: T) => boolean;
  /** Returns the due time by which the queue is ordered. Default: the queue is ordered by the time of entry. */
  readonly due?: (document: T) => Due;
  /** True if workers serve the partitions of the queue in turn. Within a partition, documents are ordered by entry. */
  readonly fair?: true;
}

/** Due time and priority of a queued document. */
export interface Due {
  readonly at: Date;
  /** Order of documents with the same due time. Lower numbers are first. */
  readonly priority: number;
}

/** Definition without the properties that `defineCollection` adds. */
type Declaration<T extends Document> = Omit<CollectionDefinition<T>, "keys" | "unique" | "secretPaths"> &
  Partial<CollectionDefinition<T>>;

/** Returns a definition. Default: documents have neither keys nor secrets. */
export function defineCollection<T extends Document>(declaration: Declaration<T>): CollectionDefinition<T> {
  return { keys: {}, unique: [], secretPaths: [], ...declaration };
}

/** Returns the time to live of a document after a write. Returns `undefined` if it does not expire. */
export function ttlSecondsOf<T extends Document>(
  { ttlSeconds }: CollectionDefinition<T>,
  document: T,
): number | undefined {
  return typeof ttlSeconds === "function" ? ttlSeconds(document) : ttlSeconds;
}

/** Document with the version that was read. A later write must specify this version. */
export interface Stored<T extends Document> {
  readonly document: T;
  readonly etag: string;
}

export interface ListQuery {
  /** Partition to read. Default: all partitions. */
  readonly partitionKey?: string | undefined;
  /** Restricts the list to documents with these key values. */
  readonly where?: Readonly<Record<string, string | number>>;
  /** Restricts the list to documents with a key that starts with this prefix. */
  readonly prefix?: { readonly key: string; readonly value: string } | undefined;
  /**
   * Sort key. Sorts in ascending order by this key, then by ID. Default: by ID. Strings are sorted by code points. Documents
   * without the key are omitted, as in Cosmos DB.
   */
  readonly orderBy?: string;
  readonly limit: number;
  /** Continuation of the previous page. */
  readonly continuation?: string | undefined;
}

export interface OutdatedQuery {
  readonly limit: number;
  /** Continuation of the previous page. */
  readonly continuation?: string | undefined;
}

export interface ListPage<T extends Document> {
  readonly items: readonly Stored<T>[];
  /** Continuation of the next page. Set if there may be a next page. */
  readonly continuation?: string;
}

/**
 * Read operations of one collection. Use `Database.commit` for writes. `reveal` decrypts secrets and throws
 * `EncryptionKeyMissing` or `SecretTampered`. A commit that re-encrypts a secret throws the same errors. Queries throw
 * `InvalidQuery` if the definition lacks the key, or if the continuation belongs to a different query. All operations throw
 * `StoreUnavailable` if the connection was lost.
 */
export interface Collection<T extends Document> {
  readonly definition: CollectionDefinition<T>;
  find(partitionKey: string, id: string, signal: AbortSignal): Promise<Stored<T> | undefined>;
  /**
   * Finds a document by a key. Searches all partitions if `partitionKey` is undefined.
   * @throws AmbiguousKey if several documents match
   */
  findBy(
    partitionKey: string | undefined,
    key: string,
    value: string | number,
    signal: AbortSignal,
  ): Promise<Stored<T> | undefined>;
  list(query: ListQuery, signal: AbortSignal): Promise<ListPage<T>>;
  /**
   * Lists documents with secrets that are encrypted with an older key, in store order. Documents that are written during the call
   * may be omitted.
   */
  listOutdated(query: OutdatedQuery, signal: AbortSignal): Promise<ListPage<T>>;
  /** Returns the number of documents that `listOutdated` finds on all pages. */
  countOutdated(signal: AbortSignal): Promise<number>;
}
