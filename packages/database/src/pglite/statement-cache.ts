import { messages, type PGlite, protocol } from "@electric-sql/pglite";
import type { Row, SqlValue, Statement } from "../driver.ts";

const { serialize } = protocol;

/**
 * Sends statements in PostgreSQL's wire protocol, those with a name parsed only once. PGlite's own `query` parses
 * and describes each time, in five calls, which takes four times as long; and it runs in this very thread.
 */
export class StatementCache {
  readonly #database: PGlite;
  readonly #parsed = new Set<string>();

  constructor(database: PGlite) {
    this.#database = database;
  }

  /** The caller sees to it that nothing else uses the database meanwhile. */
  async query({ text, name = "" }: Statement, values: readonly SqlValue[]): Promise<readonly Row[]> {
    if (!this.#parsed.has(name)) {
      await this.#send(serialize.parse({ name, text }));
      if (name !== "") this.#parsed.add(name);
    }
    const answer = await this.#send(
      serialize.bind({ statement: name, values: values.map(toText) }),
      serialize.describe({ type: "P" }),
      serialize.execute({}),
    );
    let columns: readonly string[] = [];
    const rows: Row[] = [];
    for (const message of answer) {
      if (message instanceof messages.RowDescriptionMessage)
        columns = message.fields.map((field) => field.name);
      if (message instanceof messages.DataRowMessage) rows.push(rowOf(columns, message.fields));
    }
    return rows;
  }

  /** With a sync at the end, so that after an error the session is ready for the next statement. */
  #send(...parts: readonly Uint8Array[]) {
    return this.#database.execProtocolStream(Buffer.concat([...parts, serialize.sync()]), {});
  }
}

function toText(value: SqlValue): string | null {
  return value === null ? null : String(value);
}

function rowOf(columns: readonly string[], fields: readonly (string | null)[]): Row {
  return Object.fromEntries(columns.map((column, index) => [column, fields[index] ?? null]));
}
