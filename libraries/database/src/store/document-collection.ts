import type { Collection, Document, ListPage, ListQuery, Stored } from "../documents/collection.ts";
import { encodeContinuation } from "../documents/continuation.ts";
import { errors } from "../documents/errors.ts";
import { columnOf, isUnique } from "../documents/table.ts";
import type { CollectionStore } from "./collection-store.ts";
import {
  type DocumentQuery,
  lookupQuery,
  pageQuery,
  primaryLookups,
  uniqueLookups,
} from "./document-query.ts";
import { DocumentReader } from "./document-reader.ts";
import { countOutdated, listOutdated } from "./outdated-documents.ts";

/** Creates the read operations of one table. */
export function documentCollection<T extends Document>(store: CollectionStore<T>): Collection<T> {
  const { table, columnTypes } = store;
  const reader = new DocumentReader(store);
  const primaryLookup = primaryLookups(table);
  const uniqueLookup = uniqueLookups(table, columnTypes);

  async function find(
    condition: Parameters<typeof lookupQuery>[2],
    signal: AbortSignal,
  ): Promise<Stored<T> | undefined> {
    const query = lookupQuery(table, columnTypes, condition);
    const [found, second] = query ? await reader.read(query, signal) : [];
    if (!second) return found?.stored;
    const values = condition.map(([column, value]) => `${column} ${value}`).join(" and ");
    throw errors.AmbiguousKey(`Several documents of ${table.name} have ${values}.`);
  }

  async function findOne(
    query: DocumentQuery | undefined,
    signal: AbortSignal,
  ): Promise<Stored<T> | undefined> {
    const [found] = query ? await reader.read(query, signal) : [];
    return found?.stored;
  }

  async function list(query: ListQuery, signal: AbortSignal): Promise<ListPage<T>> {
    const pageAndNext = pageQuery(table, columnTypes, query);
    const found = pageAndNext ? await reader.read(pageAndNext, signal) : [];
    const page = found.slice(0, query.limit);
    const items = page.map(({ stored }) => stored);
    const last = page.at(-1);
    if (found.length <= query.limit || !last) return { items };
    return { items, continuation: encodeContinuation({ ...last.key, key: last.position }) };
  }

  return {
    definition: store.definition,
    find: (partitionKey, id, signal) => findOne(primaryLookup(partitionKey, id), signal),
    findBy: async (partitionKey, key, value, signal) => {
      const column = columnOf(table, key);
      if (isUnique(table, column)) {
        // Searches only by the unique value. With an additional condition on the partition, PostgreSQL could choose the partition
        // index and scan the partition.
        const found = await findOne(uniqueLookup(column, value), signal);
        return partitionKey === undefined || found?.document.partitionKey === partitionKey
          ? found
          : undefined;
      }
      if (partitionKey === undefined) return find([[column, value]], signal);
      return find(
        [
          [column, value],
          ["partition_key", partitionKey],
        ],
        signal,
      );
    },
    list,
    listOutdated: (query, signal) => listOutdated(store, query, signal),
    countOutdated: (signal) => countOutdated(store, signal),
  };
}
