import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Connection } from "./driver.ts";
import { errors } from "./errors.ts";

/** One file of `sql/`. Its first line is `-- breaking: yes` when older programs must not run after it. */
export interface Migration {
  readonly version: number;
  readonly breaking: boolean;
  readonly sql: string;
}

const directory = join(import.meta.dirname, "..", "sql");

/** The migrations that this program knows, in order. */
export async function readMigrations(): Promise<readonly Migration[]> {
  const names = (await readdir(directory)).filter((name) => /^\d{6}\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(directory, name), "utf8");
      const breaking = /^-- breaking: (yes|no)\n/.exec(sql)?.[1];
      if (!breaking) throw new Error(`${name} does not say in its first line whether it is breaking`);
      return { version: Number.parseInt(name, 10), breaking: breaking === "yes", sql };
    }),
  );
}

/**
 * Brings the tables up to `migrations`. All in one transaction under a lock, so that any number of processes
 * may start at once, and a failure leaves nothing half done.
 * @throws SchemaAhead when the database has a breaking migration that is not among them.
 */
export async function migrate(
  connection: Connection,
  migrations: readonly Migration[],
  signal: AbortSignal,
): Promise<void> {
  await connection.transaction(async (session) => {
    // Another process may migrate for longer than a statement usually may take.
    await session.execute("set local statement_timeout = 0");
    await session.execute("select pg_advisory_xact_lock(hashtext('keelson.schema_migrations'))");
    await session.execute(
      "create table if not exists schema_migrations (version integer primary key, breaking boolean not null," +
        " applied_at timestamptz not null default clock_timestamp())",
    );
    const rows = await session.query(
      { text: "select version::text as version, breaking::text as breaking from schema_migrations" },
      [],
    );
    const newest = migrations.at(-1)?.version ?? 0;
    const ahead = rows.filter((row) => row.breaking === "true").map((row) => Number(row.version));
    const breaking = Math.max(0, ...ahead);
    if (breaking > newest) {
      throw errors.SchemaAhead(
        `The database is at breaking migration ${breaking}, this program knows up to ${newest}: ` +
          "run the version that migrated it, or a newer one.",
      );
    }
    const applied = new Set(rows.map((row) => Number(row.version)));
    for (const { version, breaking, sql } of migrations) {
      if (applied.has(version)) continue;
      await session.execute(sql);
      await session.query({ text: "insert into schema_migrations (version, breaking) values ($1, $2)" }, [
        version,
        breaking,
      ]);
    }
  }, signal);
}
