import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLogger } from "@keelson/base";
import { pgliteDriver } from "./driver.ts";

/** Statements with the same parts as those of a start: catalogue queries, JSON, inserts and transactions. */
const statements = [
  "select table_name::text, column_name::text, data_type::text from information_schema.columns",
  "create table rehearsal (id text primary key, document jsonb not null)",
  `insert into rehearsal values ('one', '{"name":"one"}') on conflict (id) do update set document = excluded.document`,
  "select id, document::text from rehearsal where document->>'name' = 'one' order by id limit 1",
  "delete from rehearsal where id = 'one' returning id",
];

/**
 * Opens, uses and deletes an embedded database below `parent`. The next one in this process then opens in a fraction of the time.
 */
export async function rehearsePglite(parent: string = tmpdir()): Promise<void> {
  await using directory = await mkdtempDisposable(join(parent, "keelson-rehearsal-"));
  const { signal } = new AbortController();
  const driver = pgliteDriver({ dataDir: join(directory.path, "database") });
  await using connection = await driver.open({ logger: silentLogger, signal });
  for (const text of statements) await connection.query({ text }, [], signal);
}
