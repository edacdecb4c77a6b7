import type { Collection, Document, ListQuery, Stored } from "./collection.ts";

const pageSize = 100;

/** Iterates over the documents of a query, by default all documents of the collection. Reads pages of `limit` documents. */
export async function* allDocuments<T extends Document>(
  collection: Collection<T>,
  signal: AbortSignal,
  query: Omit<ListQuery, "limit" | "continuation"> & { readonly limit?: number } = {},
): AsyncGenerator<Stored<T>> {
  let continuation: string | undefined;
  do {
    const position = continuation === undefined ? {} : { continuation };
    const page = await collection.list({ limit: pageSize, ...query, ...position }, signal);
    yield* page.items;
    continuation = page.continuation;
  } while (continuation !== undefined);
}
