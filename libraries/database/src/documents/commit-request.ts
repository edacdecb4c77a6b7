import type { CollectionDefinition, Document } from "./collection.ts";
import type { CommitOptions, QueueLimit, Write } from "./database.ts";
import { errors } from "./errors.ts";
import type { Lease } from "./lease.ts";

/** Stores of collections by collection name. */
export type StoresByName<S> = ReadonlyMap<string, S>;

interface Store {
  readonly definition: CollectionDefinition<Document>;
}

export interface RequestedWrite<S extends Store> {
  readonly write: Write;
  readonly id: string;
  readonly store: S;
}

export interface LeaseUse {
  readonly lease: Lease;
  readonly release: boolean;
}

/**
 * Returns the writes of a commit, each with the store of its collection. `faultOf` returns the reason why this kind of store
 * cannot contain an ID.
 * @throws InvalidWrite if the commit is invalid
 */
export function requestedWrites<S extends Store>(
  stores: StoresByName<S>,
  partitionKey: string,
  writes: readonly Write[],
  faultOf: (collection: string, id: string) => string | undefined,
): RequestedWrite<S>[] {
  const seen = new Set<string>();
  return writes.map((write) => {
    const { collection } = write;
    const store = stores.get(collection);
    if (!store) throw errors.InvalidWrite(`There is no collection ${collection}.`);
    const id = "document" in write ? write.document.id : write.id;
    if ("document" in write && write.document.partitionKey !== partitionKey) {
      throw errors.InvalidWrite(
        `Document ${id} is not of partition ${partitionKey}: a commit lies in one partition.`,
      );
    }
    const fault = faultOf(collection, id);
    if (fault) throw errors.InvalidWrite(`An ID or partition key in ${collection} ${fault}.`);
    const key = JSON.stringify([collection, id]);
    if (seen.has(key)) throw errors.InvalidWrite(`A commit writes document ${id} of ${collection} twice.`);
    seen.add(key);
    return { write, id, store };
  });
}

/** Returns the queue limit of a commit. The limit's collection must be a fair queue. @throws InvalidWrite */
export function requestedLimit<S extends Store>(
  stores: StoresByName<S>,
  { queueLimit }: CommitOptions,
): QueueLimit | undefined {
  if (queueLimit && !stores.get(queueLimit.collection)?.definition.fair) {
    throw errors.InvalidWrite(`${queueLimit.collection} is not a fair queue and has no limit.`);
  }
  return queueLimit;
}

/** Returns the lease of a commit. The lease's collection must exist. @throws InvalidWrite */
export function requestedLease<S extends Store>(
  stores: StoresByName<S>,
  partitionKey: string,
  { lease, release = false }: CommitOptions,
): LeaseUse | undefined {
  if (!lease) {
    if (release) throw errors.InvalidWrite("A commit can release only the lease that it carries.");
    return undefined;
  }
  if (!stores.get(lease.collection)?.definition.queued) {
    throw errors.InvalidWrite(`${lease.collection} is not a collection with leases.`);
  }
  if (lease.partitionKey !== partitionKey) {
    throw errors.InvalidWrite(
      `The lease is not of partition ${partitionKey}: a commit lies in one partition.`,
    );
  }
  return { lease, release };
}
