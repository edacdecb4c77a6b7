import { rm } from "node:fs/promises";
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
 * Opens and uses an embedded database in `directory`. The next one in this process then opens in a fraction of the time. Deletes
 * the directory before and after the rehearsal, because a killed process leaves its files.
 */
export async function rehearsePglite(directory: string): Promise<void> {
  const remove = () => rm(directory, { recursive: true, force: true });
  await remove();
  await using stack = new AsyncDisposableStack();
  stack.defer(remove);
  const { signal } = new AbortController();
  const driver = pgliteDriver({ dataDir: join(directory, "database") });
  const connection = stack.use(await driver.open({ logger: silentLogger, signal }));
  for (const text of statements) await connection.query({ text }, [], signal);
}
