import type { ListQuery } from "../documents/collection.ts";
import { decodeContinuation } from "../documents/continuation.ts";
import { errors } from "../documents/errors.ts";
import { columnOf, isColumnText, type Table, unexpired } from "../documents/table.ts";
import type { SqlValue } from "../drivers/driver.ts";

/**
 * Query for documents of one table. Queries with the same SQL string can be combined. The SQL reads the values of a query from
 * the columns `v0`, `v1` … of a row named `wanted`. The SQL selects `partition_key, id, etag, updated_at, body, position`.
 */
export interface DocumentQuery {
  /**
   * SQL of the query. The limit is a literal, because with a limit as parameter, the planner would expect to read a tenth of the
   * table.
   */
  readonly text: string;
  readonly types: readonly ColumnType[];
  readonly values: readonly SqlValue[];
  /** True if at most one document matches. */
  readonly isUnique: boolean;
}

export type ColumnType = "text" | "bigint";

/** Types of non-text columns, by `table.column`. */
export type ColumnTypes = ReadonlyMap<string, ColumnType>;

/**
 * Returns the query for documents with these column values. Returns `undefined` if a column cannot contain the value, so no
 * document can match.
 */
export function lookupQuery(
  table: Table,
  columnTypes: ColumnTypes,
  condition: readonly (readonly [column: string, value: string | number])[],
): DocumentQuery | undefined {
  if (!condition.every(([, value]) => isColumnText(value))) return undefined;
  const wanted = new WantedRow(table, columnTypes);
  const filters = condition.map(([column, value]) => `${column} = ${wanted.value(column, value)}`);
  // Requests two rows. If the result has a second row, the key is ambiguous.
  return wanted.query(filters, { position: undefined, order: "", limit: 2 });
}

/**
 * Returns a function that creates queries by primary key. The function returns `undefined` if a column cannot contain the
 * requested value. All queries have the same SQL string.
 */
export function primaryLookups(
  table: Table,
): (partitionKey: string, id: string) => DocumentQuery | undefined {
  const text = `${selectFrom(table, undefined)} and partition_key = wanted.v0 and id = wanted.v1`;
  const types: readonly ColumnType[] = ["text", "text"];
  return (partitionKey, id) =>
    isColumnText(partitionKey) && isColumnText(id)
      ? { text, types, values: [partitionKey, id], isUnique: true }
      : undefined;
}

/**
 * Returns a function that creates queries by a unique column. The function returns `undefined` if the column cannot contain the
 * requested value. All unique columns of a table share one statement with one lookup per column. Queries by different columns can
 * then be combined.
 */
export function uniqueLookups(
  table: Table,
  columnTypes: ColumnTypes,
): (column: string, value: string | number) => DocumentQuery | undefined {
  const columns = [...table.uniqueIndexes.values().map((unique) => unique.column)];
  const lookups = columns.map((each, at) => `${selectFrom(table, undefined)} and ${each} = wanted.v${at}`);
  // The lookups contain a limit of 1. Without it, the planner would expect many documents per lookup.
  const text = `(${lookups.join(" limit 1) union all (")} limit 1)`;
  const types = columns.map((each) => typeOf(table, columnTypes, each));
  return (column, value) => {
    if (!isColumnText(value)) return undefined;
    return { text, types, values: columns.map((each) => (each === column ? value : null)), isUnique: true };
  };
}

/**
 * Returns the query for a page plus one additional document. The additional document shows that there is a next page. Returns
 * `undefined` if no document can match.
 */
export function pageQuery(
  table: Table,
  columnTypes: ColumnTypes,
  query: ListQuery,
): DocumentQuery | undefined {
  if (!Number.isInteger(query.limit) || query.limit < 1) {
    throw errors.InvalidQuery(`The limit ${query.limit} is not a whole number from 1.`);
  }
  const orderColumn = query.orderBy === undefined ? undefined : columnOf(table, query.orderBy);
  const wanted = new WantedRow(table, columnTypes);
  const filters = filtersOf(table, query, wanted);
  if (!filters) return undefined;
  const start = positionFilter(query, orderColumn, wanted);
  const order = ` order by ${orderOf(orderColumn).join(", ")}`;
  return wanted.query([...filters, ...start], { position: orderColumn, order, limit: query.limit + 1 });
}

class WantedRow {
  readonly #table: Table;
  readonly #columnTypes: ColumnTypes;
  readonly #values: SqlValue[] = [];
  readonly #types: ColumnType[] = [];

  constructor(table: Table, columnTypes: ColumnTypes) {
    this.#table = table;
    this.#columnTypes = columnTypes;
  }

  /** Returns the SQL of a value that is compared with `column`. */
  value(column: string, value: SqlValue): string {
    this.#types.push(typeOf(this.#table, this.#columnTypes, column));
    return `wanted.v${this.#values.push(value) - 1}`;
  }

  /** True if a value that is formatted as `text` is valid for `column`. */
  admits(column: string, text: string): boolean {
    if (typeOf(this.#table, this.#columnTypes, column) === "text") return true;
    return /^-?\d{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
  }

  query(
    filters: readonly string[],
    { position, order, limit }: { position: string | undefined; order: string; limit: number },
  ): DocumentQuery {
    const conditions = filters.map((each) => ` and ${each}`).join("");
    const text = `${selectFrom(this.#table, position)}${conditions}${order} limit ${limit}`;
    return { text, types: this.#types, values: this.#values, isUnique: false };
  }
}

function typeOf(table: Table, columnTypes: ColumnTypes, column: string): ColumnType {
  return columnTypes.get(`${table.name}.${column}`) ?? "text";
}

function selectFrom(table: Table, position: string | undefined): string {
  return (
    `select partition_key, id, etag, updated_at, body, ${position ?? "null::text"} as position` +
    ` from ${table.name} where true${unexpired(table)}`
  );
}

function filtersOf(table: Table, query: ListQuery, wanted: WantedRow): string[] | undefined {
  const { partitionKey, where = {}, prefix } = query;
  const equal: [string, string | number][] = Object.entries(where).map(([key, value]) => [
    columnOf(table, key),
    value,
  ]);
  if (partitionKey !== undefined) equal.unshift(["partition_key", partitionKey]);
  if (![...equal.map(([, value]) => value), prefix?.value].every(isColumnText)) return undefined;
  const filters = equal.map(([column, value]) => `${column} = ${wanted.value(column, value)}`);
  if (!prefix || prefix.value === "") return filters;
  const column = columnOf(table, prefix.key);
  const end = prefixEnd(prefix.value);
  const range = end === undefined ? [] : [`${column} < ${wanted.value(column, end)}`];
  return [...filters, `${column} >= ${wanted.value(column, prefix.value)}`, ...range];
}

/**
 * Returns the condition for the start of the page. It compares positions in a total order, so concurrent inserts do not shift
 * pages.
 */
function positionFilter(query: ListQuery, orderColumn: string | undefined, wanted: WantedRow): string[] {
  if (query.continuation === undefined)
    return orderColumn === undefined ? [] : [`${orderColumn} is not null`];
  const { key, id, partitionKey } = decodeContinuation(query.continuation);
  if ((key === null) !== (orderColumn === undefined) || ![key, id, partitionKey].every(isColumnText)) {
    throw errors.InvalidQuery("The continuation belongs to a different query.");
  }
  const columns = orderOf(orderColumn);
  const place = [...(key === null ? [] : [key]), id, partitionKey];
  // Rejects values that the column cannot contain. Such a value would fail all queries that are combined in one statement,
  // including queries of other callers.
  if (key !== null && !wanted.admits(columns[0] ?? "", key))
    throw errors.InvalidQuery("The continuation belongs to a different query.");
  const after = place.map((value, index) => wanted.value(columns[index] ?? "", value));
  return [`(${columns.join(", ")}) > (${after.join(", ")})`];
}

function orderOf(orderColumn: string | undefined): string[] {
  return [...(orderColumn === undefined ? [] : [orderColumn]), "id", "partition_key"];
}

/**
 * Returns the lowest string that sorts after all strings with the prefix, in collation "C" (code points). Undefined if there is
 * no such string.
 */
function prefixEnd(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  while (points.length > 0) {
    const last = points.pop() ?? 0;
    if (last === 0x10ffff) continue;
    const next = last === 0xd7ff ? 0xe000 : last + 1;
    return String.fromCodePoint(...points, next);
  }
  return undefined;
}
