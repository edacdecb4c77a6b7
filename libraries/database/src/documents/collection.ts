/** What every stored document has. Members that a reader does not know survive it, at every depth. */
export interface Document {
  readonly id: string;
  /** Documents of one partition can be written together; on Cosmos DB this is the logical partition. */
  readonly partitionKey: string;
}

/**
 * One kind of document, as data. The table `name` and one column per entry of `keys` exist in `sql/`.
 * A key's column is its name in snake case.
 */
export interface CollectionDefinition<T extends Document> {
  readonly name: string;
  /** Values by which documents are found, taken from the document at every write. */
  readonly keys: Readonly<Record<string, (document: T) => string | number | undefined>>;
  /** The keys that no two documents may share. */
  readonly unique: readonly string[];
  /**
   * Paths of members that are encrypted at rest, for example
   * `openShiftCluster.properties.registryProfiles[].password`. Their values are `Secret`s in memory.
   */
  readonly secretPaths: readonly string[];
  /** Documents vanish this long after their last write, which each may say for itself; never when absent. */
  readonly ttlSeconds?: number | ((document: T) => number | undefined);
  /** Present on collections that workers lease: true while the document waits for, or has, a worker. */
  readonly queued?: (document: T) => boolean;
  /** Orders the queue by what documents say; by their entry into it when absent. */
  readonly due?: (document: T) => Due;
  /** True for a queue from which workers take partitions in turn, and in each partition documents by their entry. */
  readonly fair?: true;
}

/** When a queued document may be leased, and before which others. */
export interface Due {
  readonly at: Date;
  /** Among documents of the same time; lower ones come first. */
  readonly priority: number;
}

/** Types the definition's document; the identity function otherwise. */
export function defineCollection<T extends Document>(
  definition: CollectionDefinition<T>,
): CollectionDefinition<T> {
  return definition;
}

/** How long a document lives after it has been written; `undefined` for ever. */
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
  /** All partitions when absent. */
  readonly partitionKey?: string | undefined;
  /** Equality on keys of the definition. */
  readonly where?: Readonly<Record<string, string | number>>;
  /** Documents whose key starts with this text. */
  readonly prefix?: { readonly key: string; readonly value: string } | undefined;
  /**
   * Ascending order by this key, then by id; by id alone when absent. Texts are in the order of their code
   * points. Documents without the key are left out, as on Cosmos DB.
   */
  readonly orderBy?: string;
  readonly limit: number;
  /** From the previous page. */
  readonly continuation?: string | undefined;
}

export interface OutdatedQuery {
  readonly limit: number;
  /** From the previous page. */
  readonly continuation?: string | undefined;
}

export interface ListPage<T extends Document> {
  readonly items: readonly Stored<T>[];
  /** Present when there may be more. */
  readonly continuation?: string;
}

/**
 * Reads of one kind of document. Writes go through `Database.commit`.
 *
 * Secrets are decrypted by `reveal`, which throws `EncryptionKeyMissing` or `SecretTampered`, as does a commit that
 * re-encrypts one. `InvalidQuery`: a key that the definition lacks, or a foreign continuation.
 * `StoreUnavailable`: a lost connection.
 */
export interface Collection<T extends Document> {
  readonly definition: CollectionDefinition<T>;
  find(partitionKey: string, id: string, signal: AbortSignal): Promise<Stored<T> | undefined>;
  /**
   * By a key of the definition; in all partitions when `partitionKey` is undefined.
   * @throws AmbiguousKey when several documents match
   */
  findBy(
    partitionKey: string | undefined,
    key: string,
    value: string | number,
    signal: AbortSignal,
  ): Promise<Stored<T> | undefined>;
  list(query: ListQuery, signal: AbortSignal): Promise<ListPage<T>>;
  /**
   * Documents whose secrets the next write would seal under another key than they are, in an order of the store's
   * own. A document written meanwhile may be left out.
   */
  listOutdated(query: OutdatedQuery, signal: AbortSignal): Promise<ListPage<T>>;
  /** How many documents `listOutdated` has in all. */
  countOutdated(signal: AbortSignal): Promise<number>;
}
