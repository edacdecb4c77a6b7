import { createHash } from "node:crypto";
import type { SqlValue, Statement } from "../drivers/driver.ts";

export type ValueType = "text" | "bigint" | "json" | "boolean" | "double precision";

/** Receives the values of a statement and returns their expressions in its text. */
export interface ValuePlaces {
  value(value: SqlValue | undefined, type: ValueType): string;
}

/** Collects the values of a statement while its text is built. */
export class StatementBuilder implements ValuePlaces {
  readonly values: SqlValue[] = [];

  /** The placeholder of `value`, with its SQL type. */
  value(value: SqlValue | undefined, type: ValueType): string {
    this.values.push(value ?? null);
    return `$${this.values.length}::${type}`;
  }
}

/** Prepared statements by text. Connections keep them too. */
const preparedStatements = new Map<string, Statement>();

/** Returns a statement that each connection parses only once. The number of different texts must be small. */
export function prepared(text: string): Statement {
  const known = preparedStatements.get(text);
  if (known) return known;
  const statement = { text, name: createHash("sha256").update(text).digest("base64url").slice(0, 32) };
  preparedStatements.set(text, statement);
  return statement;
}
