import type { Document, Stored } from "../documents/collection.ts";
import type { Row } from "../drivers/driver.ts";
import type { CollectionStore } from "./collection-store.ts";

/** Columns that `decodeRow` reads. */
export const documentColumns = "partition_key, id, etag::text as etag, body::text as body";

export function decodeRow<T extends Document>(
  { codec }: Pick<CollectionStore<T>, "codec">,
  { partition_key, id, etag, body }: Row,
): Stored<T> {
  const key = { partitionKey: partition_key ?? "", id: id ?? "" };
  return { document: codec.decode(body ?? "null", key), etag: etag ?? "" };
}
