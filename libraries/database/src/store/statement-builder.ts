import { createHash } from "node:crypto";
import type { SqlValue, Statement } from "../drivers/driver.ts";

export type ValueType = "text" | "bigint" | "json" | "boolean" | "double precision";

/** Takes the values of SQL that is being put together, and says what stands for them there. */
export interface ValuePlaces {
  value(value: SqlValue | undefined, type: ValueType): string;
}

/** Collects the values of a statement while its text is put together. */
export class StatementBuilder implements ValuePlaces {
  readonly values: SqlValue[] = [];

  /** The placeholder of `value`, with its SQL type. */
  value(value: SqlValue | undefined, type: ValueType): string {
    this.values.push(value ?? null);
    return `$${this.values.length}::${type}`;
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
