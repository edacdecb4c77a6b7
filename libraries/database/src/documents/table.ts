import type { CollectionDefinition, Document } from "./collection.ts";
import { errors } from "./errors.ts";

/** Database table of a collection. The names of the table and its columns are validated and therefore safe in SQL. */
export interface Table {
  readonly name: string;
  readonly columns: readonly KeyColumn[];
  /** Unique keys by the name of their database index. */
  readonly uniqueIndexes: ReadonlyMap<string, KeyColumn>;
  readonly leased: boolean;
  /** True if the queue is ordered by due times. */
  readonly ordered: boolean;
  /** True if the queue is fair. Fair queues use the functions of migration 000040. */
  readonly fair: boolean;
  /** True if documents can expire. */
  readonly expires: boolean;
  /** True if documents contain secrets. The table then has a column `sealed_key_id`. */
  readonly sealed: boolean;
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
    ordered: definition.due !== undefined,
    fair: definition.fair === true,
    expires: definition.ttlSeconds !== undefined,
    sealed: definition.secretPaths.length > 0,
  };
}

export function columnOf(table: Table, key: string): string {
  const found = table.columns.find((column) => column.key === key);
  if (!found) throw errors.InvalidQuery(`${table.name} has no key ${key}.`);
  return found.column;
}

/** True if the values in the column are unique. */
export function isUnique({ uniqueIndexes }: Table, column: string): boolean {
  return uniqueIndexes.values().some((unique) => unique.column === column);
}

/** Returns the SQL condition that excludes expired documents that have not been deleted yet. Empty if documents do not expire. */
export function unexpired(table: Table): string {
  return table.expires ? " and (expires_at is null or expires_at > now())" : "";
}

/** True if a PostgreSQL column can contain the value. Strings must be valid Unicode without NUL. */
export function isColumnText(value: unknown): boolean {
  return typeof value !== "string" || (!value.includes("\0") && value.isWellFormed());
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
