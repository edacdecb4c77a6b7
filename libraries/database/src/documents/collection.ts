/** Common fields of all stored documents. Fields that a reader does not know are kept at every depth. */
export interface Document {
  readonly id: string;
  /** Documents of one partition can be written together. On Cosmos DB this is the logical partition. */
  readonly partitionKey: string;
}

/**
 * Defines one kind of document as data. The migrations in `sql/` create the table `name` with one column for
 * each entry of `keys`. The name of a column is the key in snake case.
 */
export interface CollectionDefinition<T extends Document> {
  readonly name: string;
  /** Values that identify documents in queries. They are computed from the document at every write. */
  readonly keys: Readonly<Record<string, (document: T) => string | number | undefined>>;
  /** The keys that no two documents may share. */
  readonly unique: readonly string[];
  /**
   * Paths of the encrypted fields, for example
   * `openShiftCluster.properties.registryProfiles[].password`. Their values are `Secret`s in memory.
   */
  readonly secretPaths: readonly string[];
  /**
   * Time after the last write at which documents expire, optionally per document. Default: documents do not
   * expire.
   */
  readonly ttlSeconds?: number | ((document: T) => number | undefined);
  /** Present on collections that workers lease: true while the document waits for, or has, a worker. */
  readonly queued?: (document: T) => boolean;
  /** Orders the queue by the due times of documents. Default: the order of entry. */
  readonly due?: (document: T) => Due;
  /** True for a queue in which partitions take turns. Within a partition, documents are ordered by entry. */
  readonly fair?: true;
}

/** Time and priority of a queued document. */
export interface Due {
  readonly at: Date;
  /** Order among documents with the same time. Lower numbers are first. */
  readonly priority: number;
}

/** Types the definition's document; the identity function otherwise. */
export function defineCollection<T extends Document>(
  definition: CollectionDefinition<T>,
): CollectionDefinition<T> {
  return definition;
}

/** Returns the time to live of a document after a write, `undefined` if it does not expire. */
export function ttlSecondsOf<T extends Document>(
  { ttlSeconds }: CollectionDefinition<T>,
  document: T,
): number | undefined {
  return typeof ttlSeconds === "function" ? ttlSeconds(document) : ttlSeconds;
}

/** A document as it was read, with the version that a later write must name. */
export interface Stored<T extends Document> {
  readonly document: T;
  readonly etag: string;
}

export interface ListQuery {
  /** Default: all partitions. */
  readonly partitionKey?: string | undefined;
  /** Equality on keys of the definition. */
  readonly where?: Readonly<Record<string, string | number>>;
  /** Restricts the list to keys with this prefix. */
  readonly prefix?: { readonly key: string; readonly value: string } | undefined;
  /**
   * Sorts in ascending order by this key, then by ID. Default: by ID. Strings are in the order of their code
   * points. Documents without the key are omitted, as on Cosmos DB.
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
  /** Present when there may be more. */
  readonly continuation?: string;
}

/**
 * Reads of one kind of document. Writes use `Database.commit`.
 * `reveal` decrypts secrets and throws `EncryptionKeyMissing` or `SecretTampered`, as does a commit that
 * re-encrypts one. `InvalidQuery`: the definition lacks the key, or the continuation belongs to a different
 * query. `StoreUnavailable`: the connection was lost.
 */
export interface Collection<T extends Document> {
  readonly definition: CollectionDefinition<T>;
  find(partitionKey: string, id: string, signal: AbortSignal): Promise<Stored<T> | undefined>;
  /**
   * Finds a document by a key of the definition, in all partitions if `partitionKey` is undefined.
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
   * Lists documents with secrets under a key that is not current, in the store's order. A document that is
   * written during the call can be omitted.
   */
  listOutdated(query: OutdatedQuery, signal: AbortSignal): Promise<ListPage<T>>;
  /** Returns the number of all documents of `listOutdated`. */
  countOutdated(signal: AbortSignal): Promise<number>;
}
