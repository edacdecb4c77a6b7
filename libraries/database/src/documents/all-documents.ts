import type { Collection, Document, Stored } from "./collection.ts";

const pageSize = 100;

/** Iterates over all documents of a collection, one page at a time. */
export async function* allDocuments<T extends Document>(
  collection: Collection<T>,
  signal: AbortSignal,
): AsyncGenerator<Stored<T>> {
  let continuation: string | undefined;
  do {
    const position = continuation === undefined ? {} : { continuation };
    const page = await collection.list({ limit: pageSize, ...position }, signal);
    yield* page.items;
    continuation = page.continuation;
  } while (continuation !== undefined);
}
