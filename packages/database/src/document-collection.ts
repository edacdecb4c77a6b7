import type { Collection, Document, ListPage, ListQuery, Stored } from "./collection.ts";
import { decodeContinuation, encodeContinuation } from "./continuation.ts";
import type { Row } from "./driver.ts";
import { errors } from "./errors.ts";
import { prepared, StatementBuilder } from "./statement-builder.ts";
import type { CollectionStore } from "./store.ts";
import { columnOf, isColumnText, type Table, unexpired } from "./table.ts";

/** The columns that `decodeRow` reads. */
export const documentColumns = "partition_key, id, etag::text as etag, body::text as body";

/** Reads of one table. */
export function documentCollection<T extends Document>(store: CollectionStore<T>): Collection<T> {
  return {
    definition: store.definition,
    find: (partitionKey, id, signal) => find(store, partitionKey, id, signal),
    findBy: (partitionKey, key, value, signal) => findBy(store, partitionKey, key, value, signal),
    list: (query, signal) => list(store, query, signal),
  };
}

async function find<T extends Document>(
  store: CollectionStore<T>,
  partitionKey: string,
  id: string,
  signal: AbortSignal,
): Promise<Stored<T> | undefined> {
  const { connection, table } = store;
  if (!isColumnText(partitionKey) || !isColumnText(id)) return undefined;
  const text = `select ${documentColumns} from ${table.name} where partition_key = $1 and id = $2${unexpired(table)}`;
  const [row] = await connection.query(prepared(text), [partitionKey, id], signal);
  return row && decodeRow(store, row);
}

async function findBy<T extends Document>(
  store: CollectionStore<T>,
  partitionKey: string | undefined,
  key: string,
  value: string | number,
  signal: AbortSignal,
): Promise<Stored<T> | undefined> {
  const { connection, table } = store;
  const column = columnOf(table, key);
  if (!isColumnText(partitionKey) || !isColumnText(value)) return undefined;
  const partition = partitionKey === undefined ? "" : " and partition_key = $2";
  const text = `select ${documentColumns} from ${table.name} where ${column} = $1${partition}${unexpired(table)} limit 2`;
  const values = partitionKey === undefined ? [value] : [value, partitionKey];
  const [row, second] = await connection.query(prepared(text), values, signal);
  if (second) throw errors.AmbiguousKey(`Several documents of ${table.name} have ${key} ${value}.`);
  return row && decodeRow(store, row);
}

async function list<T extends Document>(
  store: CollectionStore<T>,
  query: ListQuery,
  signal: AbortSignal,
): Promise<ListPage<T>> {
  if (!Number.isInteger(query.limit) || query.limit < 1) {
    throw errors.InvalidQuery(`The limit ${query.limit} is not a whole number from 1.`);
  }
  const { connection, table } = store;
  const orderColumn = query.orderBy === undefined ? undefined : columnOf(table, query.orderBy);
  const builder = new StatementBuilder();
  const filters = filtersOf(table, query, builder);
  if (!filters) return { items: [] };
  const position = positionFilter(query, orderColumn, builder);
  const order = orderOf(orderColumn);
  const text = [
    `select ${documentColumns}, position::text as position from (`,
    `select partition_key, id, etag, body, ${orderColumn ?? "null"} as position from ${table.name}`,
    `where true${unexpired(table)}${[...filters, ...position].map((each) => ` and ${each}`).join("")}`,
    `order by ${order.join(", ")} limit ${builder.value(query.limit + 1, "bigint")}`,
    `) page order by ${orderColumn ? "page.position, " : ""}id, partition_key`,
  ].join(" ");
  const rows = await connection.query(prepared(text), builder.values, signal);
  const page = rows.slice(0, query.limit);
  const items = page.map((row) => decodeRow(store, row));
  const last = page.at(-1);
  if (rows.length <= query.limit || !last) return { items };
  const { position: key = null, id, partition_key: partitionKey } = last;
  return { items, continuation: encodeContinuation({ key, id: id ?? "", partitionKey: partitionKey ?? "" }) };
}

/** `undefined` when no document can match, because no column can hold such a text. */
function filtersOf(table: Table, query: ListQuery, builder: StatementBuilder): string[] | undefined {
  const { partitionKey, where = {}, prefix } = query;
  const equal: [string, string | number][] = Object.entries(where).map(([key, value]) => [
    columnOf(table, key),
    value,
  ]);
  if (partitionKey !== undefined) equal.unshift(["partition_key", partitionKey]);
  if (![...equal.map(([, value]) => value), prefix?.value].every(isColumnText)) return undefined;
  const filters = equal.map(([column, value]) => `${column} = ${builder.columnValue(value)}`);
  if (!prefix || prefix.value === "") return filters;
  const column = columnOf(table, prefix.key);
  const end = prefixEnd(prefix.value);
  const range = end === undefined ? [] : [`${column} < ${builder.value(end, "text")}`];
  return [...filters, `${column} >= ${builder.value(prefix.value, "text")}`, ...range];
}

/** Where the page starts. A total order over positions, not counts: inserts in between move nothing. */
function positionFilter(
  query: ListQuery,
  orderColumn: string | undefined,
  builder: StatementBuilder,
): string[] {
  if (query.continuation === undefined)
    return orderColumn === undefined ? [] : [`${orderColumn} is not null`];
  const { key, id, partitionKey } = decodeContinuation(query.continuation);
  if ((key === null) !== (orderColumn === undefined) || ![key, id, partitionKey].every(isColumnText)) {
    throw errors.InvalidQuery("The continuation belongs to another query.");
  }
  const after = [...(key === null ? [] : [key]), id, partitionKey].map((value) => builder.columnValue(value));
  return [`(${orderOf(orderColumn).join(", ")}) > (${after.join(", ")})`];
}

function orderOf(orderColumn: string | undefined): string[] {
  return [...(orderColumn === undefined ? [] : [orderColumn]), "id", "partition_key"];
}

/** The least text above every text that starts with `prefix`, in the order of collation "C" (code points). */
export function prefixEnd(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  while (points.length > 0) {
    const last = points.pop() ?? 0;
    if (last === 0x10ffff) continue;
    const next = last === 0xd7ff ? 0xe000 : last + 1;
    return String.fromCodePoint(...points, next);
  }
  return undefined;
}

export function decodeRow<T extends Document>(store: CollectionStore<T>, row: Row): Stored<T> {
  const key = { partitionKey: row.partition_key ?? "", id: row.id ?? "" };
  return { document: store.codec.decode(row.body ?? "null", key), etag: row.etag ?? "" };
}
