import type { PGlite } from "@electric-sql/pglite";
import type pg from "pg";
import { readMigrations, statementsOf } from "../../libraries/database/src/migrations/migration.ts";

/**
 * Copies an embedded database to an empty PostgreSQL database to which the same migrations were applied. The tables are then
 * equal to tables that an earlier version has written to PostgreSQL.
 */
export async function copyToPostgres(from: PGlite, to: pg.Client): Promise<void> {
  const { rows: applied } = await from.query<{ version: number; breaking: boolean }>(
    "select version, breaking from schema_migrations order by version",
  );
  const known = new Map((await readMigrations()).map((migration) => [migration.version, migration]));
  for (const { version } of applied) {
    const migration = known.get(version);
    if (!migration) throw new Error(`migration ${version} of the earlier version is gone`);
    const { sql, transaction } = migration;
    for (const statement of transaction === "none" ? statementsOf(sql) : [sql]) await to.query(statement);
  }
  await to.query(
    "create table schema_migrations (version integer primary key, breaking boolean not null," +
      " applied_at timestamptz not null default clock_timestamp())",
  );
  const { rows: tables } = await from.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = current_schema() order by tablename",
  );
  for (const { name } of tables) {
    // Copies rows as strings to preserve the property order and the digits of numbers in json columns.
    const { rows } = await from.query<{ row: string }>(`select row_to_json(t)::text as row from ${name} t`);
    for (const { row } of rows)
      await to.query(`insert into ${name} select * from json_populate_record(null::${name}, $1)`, [row]);
  }
  const { rows: sequences } = await from.query<{ name: string; value: string | null }>(
    "select sequencename as name, last_value::text as value from pg_sequences where schemaname = current_schema()",
  );
  for (const { name, value } of sequences)
    if (value !== null) await to.query("select setval($1, $2)", [name, value]);
}

/** Returns PostgreSQL's descriptions of the tables with their columns, indexes, triggers, functions and sequences. */
export async function schemaOf(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ line: string }>(
    "select line from (" +
      "select format('column %s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default) as line from information_schema.columns where table_schema = current_schema()" +
      " union all select indexdef from pg_indexes where schemaname = current_schema()" +
      " union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal" +
      " union all select pg_get_functiondef(oid) from pg_proc where pronamespace = current_schema()::regnamespace and prokind = 'f'" +
      " union all select format('sequence %s', sequencename) from pg_sequences where schemaname = current_schema()" +
      ") described order by line",
  );
  return rows.map(({ line }) => line);
}
