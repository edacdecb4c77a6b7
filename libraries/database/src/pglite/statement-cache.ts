import { messages, type PGlite, protocol } from "@electric-sql/pglite";
import type { Row, SqlValue, Statement } from "../drivers/driver.ts";

const { serialize } = protocol;

const execute = serialize.execute({});
const sync = serialize.sync();
const describe = serialize.describe({ type: "P" });

/**
 * Executes statements with PostgreSQL's wire protocol. Named statements are parsed and described only once. PGlite's own `query`
 * parses and describes a statement at every call. It therefore blocks the event loop four times as long.
 */
export class StatementCache {
  readonly #database: PGlite;
  readonly #parsed = new Set<string>();
  /**
   * Result columns of parsed statements. They stay valid, because PostgreSQL rejects a prepared statement if its result columns
   * would change.
   */
  readonly #columns = new Map<string, readonly string[]>();

  constructor(database: PGlite) {
    this.#database = database;
  }

  /** Executes a statement. The caller must ensure that no other call uses the database concurrently. */
  async query({ text, name = "" }: Statement, values: readonly SqlValue[]): Promise<readonly Row[]> {
    if (!this.#parsed.has(name)) {
      await this.#send(serialize.parse({ name, text }));
      if (name !== "") this.#parsed.add(name);
    }
    const known = this.#columns.get(name);
    const bind = serialize.bind({ statement: name, values: values.map(toText) });
    const response = known ? await this.#send(bind, execute) : await this.#send(bind, describe, execute);
    let columns = known ?? [];
    const rows: Row[] = [];
    for (const message of response) {
      if (message instanceof messages.DataRowMessage) rows.push(rowOf(columns, message.fields));
      else if (message instanceof messages.RowDescriptionMessage)
        columns = message.fields.map((field) => field.name);
    }
    if (name !== "" && !known) this.#columns.set(name, columns);
    return rows;
  }

  /** Sends messages followed by a sync message. After an error, the session then accepts the next statement. */
  #send(...parts: readonly Uint8Array[]) {
    return this.#database.execProtocolStream(Buffer.concat([...parts, sync]), {});
  }
}

function toText(value: SqlValue): string | null {
  return value === null ? null : String(value);
}

function rowOf(columns: readonly string[], fields: readonly (string | null)[]): Row {
  const row: Record<string, string | null> = {};
  for (const [index, column] of columns.entries()) row[column] = fields[index] ?? null;
  return row;
}
