import type { CollectionDefinition, Document } from "./collection.ts";
import { errors } from "./errors.ts";

/** The table of a collection: its names, checked, so that they can stand in SQL as they are. */
export interface Table {
  readonly name: string;
  readonly columns: readonly KeyColumn[];
  /** Unique keys by the name of the index that guards them. */
  readonly uniqueIndexes: ReadonlyMap<string, KeyColumn>;
  readonly leased: boolean;
  readonly ttlSeconds: number | undefined;
}

export interface KeyColumn {
  readonly key: string;
  readonly column: string;
}

const identifier = /^[a-z][a-z0-9_]*$/;

export function tableOf<T extends Document>(definition: CollectionDefinition<T>): Table {
  const columns = Object.keys(definition.keys).map((key) => ({ key, column: snakeCase(key) }));
  for (const name of [definition.name, ...columns.map(({ column }) => column)]) {
    if (!identifier.test(name)) throw errors.SchemaMismatch(`${name} is not a name of a table or column.`);
  }
  const unique = columns.filter(({ key }) => definition.unique.includes(key));
  return {
    name: definition.name,
    columns,
    uniqueIndexes: new Map(unique.map((column) => [`${definition.name}_${column.column}_unique`, column])),
    leased: definition.queued !== undefined,
    ttlSeconds: definition.ttlSeconds,
  };
}

export function columnOf(table: Table, key: string): string {
  const found = table.columns.find((column) => column.key === key);
  if (!found) throw errors.InvalidQuery(`${table.name} has no key ${key}.`);
  return found.column;
}

/** Hides expired documents, which the sweep has yet to delete. Empty where nothing expires. */
export function unexpired(table: Table): string {
  return table.ttlSeconds === undefined ? "" : " and expires_at > now()";
}

/** False for text that PostgreSQL cannot hold in a column: with NUL, or not valid Unicode. */
export function isColumnText(value: unknown): boolean {
  return typeof value !== "string" || (!value.includes("\0") && value.isWellFormed());
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
