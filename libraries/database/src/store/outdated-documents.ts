import type { Document, ListPage, OutdatedQuery } from "../documents/collection.ts";
import { decodeContinuation, encodeContinuation } from "../documents/continuation.ts";
import { isColumnText, unexpired } from "../documents/table.ts";
import type { CollectionStore } from "./collection-store.ts";
import { decodeRow, documentColumns } from "./document-row.ts";
import { prepared, StatementBuilder } from "./statement-builder.ts";

/**
 * Lists documents that are encrypted with an older key. Skips the current key in the index of key IDs, so documents with the
 * current key add no cost.
 */
export async function listOutdated<T extends Document>(
  store: CollectionStore<T>,
  { limit, continuation }: OutdatedQuery,
  signal: AbortSignal,
): Promise<ListPage<T>> {
  const { connection, table, keyring } = store;
  if (!table.sealed) return { items: [] };
  const builder = new StatementBuilder();
  const current = builder.value(keyring.currentKeyId(), "text");
  const count = builder.value(limit + 1, "bigint");
  let after = "";
  if (continuation !== undefined) {
    const { key, id, partitionKey } = decodeContinuation(continuation);
    const place = [key ?? "", partitionKey, id];
    if (!place.every(isColumnText)) return { items: [] };
    after = ` and (sealed_key_id, partition_key, id) > (${place.map((each) => builder.value(each, "text")).join(", ")})`;
  }
  const side = (comparison: "<" | ">") =>
    `(select partition_key, id, etag, body, sealed_key_id from ${table.name} where sealed_key_id ${comparison} ${current}` +
    `${after}${unexpired(table)} order by sealed_key_id, partition_key, id limit ${count})`;
  const text =
    `select ${documentColumns}, sealed_key_id from (${side("<")} union all ${side(">")}) outdated` +
    ` order by outdated.sealed_key_id, outdated.partition_key, outdated.id limit ${count}`;
  const rows = await connection.query(prepared(text), builder.values, signal);
  const page = rows.slice(0, limit);
  const items = page.map((row) => decodeRow(store, row));
  const last = page.at(-1);
  if (rows.length <= limit || !last) return { items };
  const { sealed_key_id: key = null, id, partition_key: partitionKey } = last;
  return { items, continuation: encodeContinuation({ key, id: id ?? "", partitionKey: partitionKey ?? "" }) };
}

export async function countOutdated<T extends Document>(
  { connection, table, keyring }: CollectionStore<T>,
  signal: AbortSignal,
): Promise<number> {
  if (!table.sealed) return 0;
  const builder = new StatementBuilder();
  const current = builder.value(keyring.currentKeyId(), "text");
  const side = (comparison: "<" | ">") =>
    `(select count(*) from ${table.name} where sealed_key_id ${comparison} ${current}${unexpired(table)})`;
  const text = `select (${side("<")} + ${side(">")})::text as outdated`;
  const [row] = await connection.query(prepared(text), builder.values, signal);
  return Number(row?.outdated);
}
