import { createHash } from "node:crypto";
import type { SqlValue, Statement } from "./driver.ts";

/** Collects the values of a statement while its text is put together. */
export class StatementBuilder {
  readonly values: SqlValue[] = [];

  /** The placeholder of `value`, with its SQL type. */
  value(
    value: SqlValue | undefined,
    type: "text" | "bigint" | "json" | "boolean" | "double precision",
  ): string {
    this.values.push(value ?? null);
    return `$${this.values.length}::${type}`;
  }

  /** The placeholder of `value`; its type is that of the column with which it is compared. */
  columnValue(value: SqlValue): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

/** Statements by their texts, as connections remember them for good as well. */
const preparedStatements = new Map<string, Statement>();

/** A statement that a connection parses once. Only for texts of which there are few. */
export function prepared(text: string): Statement {
  const known = preparedStatements.get(text);
  if (known) return known;
  const statement = { text, name: createHash("sha256").update(text).digest("base64url").slice(0, 32) };
  preparedStatements.set(text, statement);
  return statement;
}
