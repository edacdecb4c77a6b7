import { createHash } from "node:crypto";
import type { SqlValue, Statement } from "../drivers/driver.ts";

export type ValueType = "text" | "bigint" | "json" | "boolean" | "double precision";

/** Collects statement values. Returns the SQL expression of each value. */
export interface ValuePlaces {
  value(value: SqlValue | undefined, type: ValueType): string;
}

/** Builder of a statement. It collects the values while the SQL is built. */
export class StatementBuilder implements ValuePlaces {
  readonly values: SqlValue[] = [];

  /** Adds a value and returns its placeholder with the SQL type. */
  value(value: SqlValue | undefined, type: ValueType): string {
    this.values.push(value ?? null);
    return `$${this.values.length}::${type}`;
  }
}

/** Prepared statements by SQL. Each connection also caches the statements that it has parsed. */
const preparedStatements = new Map<string, Statement>();

/** Returns a statement that each connection parses only once. Use it only for a small number of different statements. */
export function prepared(text: string): Statement {
  const known = preparedStatements.get(text);
  if (known) return known;
  const statement = { text, name: createHash("sha256").update(text).digest("base64url").slice(0, 32) };
  preparedStatements.set(text, statement);
  return statement;
}
