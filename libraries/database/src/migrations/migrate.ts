import { backoffMs, type Clock, systemClock } from "@keelson/base";
import { errors } from "../documents/errors.ts";
import { type Connection, type Session, sqlFailure } from "../drivers/driver.ts";
import { type Migration, statementsOf } from "./migration.ts";

export interface MigrateOptions {
  /** Called before each migration is applied. */
  readonly onStart?: ((migration: Migration) => void) | undefined;
  readonly clock?: Clock;
  readonly signal: AbortSignal;
}

/** Maximum time in ms that a table change waits for a lock. During this wait, all new transactions on the table are blocked. */
const lockTimeoutMs = 2_000;
const lockRetry = { attempts: Number.POSITIVE_INFINITY, firstMs: 100, factor: 2, maxMs: 10_000, jitter: 0.2 };

/**
 * Applies the missing `migrations` in order. Each migration is applied exactly once and completely. Only one process at a time
 * applies migrations. This process uses a separate connection without statement time limits. Only `signal` stops the migrations.
 * If a migration fails, earlier migrations remain applied.
 * @returns the applied versions
 * @throws SchemaAhead if the database has a breaking migration that is not in `migrations`
 */
export async function migrate(
  connection: Connection,
  migrations: readonly Migration[],
  { onStart, clock = systemClock, signal }: MigrateOptions,
): Promise<readonly number[]> {
  // Usually no migration is pending, so no separate connection is needed.
  if ((await pendingMigrations(connection, migrations, signal)).length === 0) return [];
  return await connection.session(async (session) => {
    await lockMigrations(session, clock, signal);
    try {
      await session.execute(
        "create table if not exists schema_migrations (version integer primary key, breaking boolean not null," +
          " applied_at timestamptz not null default clock_timestamp())",
      );
      // A different process may have applied migrations while this process waited for the lock.
      const pending = await pendingMigrations(connection, migrations, signal, session);
      for (const migration of pending) {
        signal.throwIfAborted();
        onStart?.(migration);
        if (migration.transaction === "none") await applyStatements(session, migration);
        else await applyInTransaction(session, migration, clock, signal);
      }
      return pending.map(({ version }) => version);
    } finally {
      await session.query({ text: `select pg_advisory_unlock(${lockKey})::text` }, []).catch(() => {});
    }
  }, signal);
}

/** Returns the missing migrations in order. @throws SchemaAhead */
export async function pendingMigrations(
  connection: Connection,
  migrations: readonly Migration[],
  signal: AbortSignal,
  session?: Session,
): Promise<readonly Migration[]> {
  const query = (text: string) =>
    session ? session.query({ text }, []) : connection.query({ text }, [], signal);
  const [table] = await query("select to_regclass('schema_migrations')::text as name");
  if (table?.name == null) return migrations;
  const rows = await query(
    "select version::text as version, breaking::text as breaking from schema_migrations",
  );
  const newest = migrations.at(-1)?.version ?? 0;
  const breaking = rows.filter((row) => row.breaking === "true").map((row) => Number(row.version));
  const newestBreaking = Math.max(0, ...breaking);
  if (newestBreaking > newest) {
    throw errors.SchemaAhead(
      `The database is at breaking migration ${newestBreaking}, this program knows up to ${newest}: ` +
        "run the version that migrated it, or a newer one.",
    );
  }
  const applied = new Set(rows.map((row) => Number(row.version)));
  return migrations.filter(({ version }) => !applied.has(version));
}

/** Lock key that includes the schema. Services in different schemas of one database do not block each other. */
const lockKey = "hashtext('keelson.schema_migrations'), hashtext(current_schema())";

/**
 * Acquires the lock by polling. A waiting lock statement would hold a snapshot, and `create index concurrently` in the session
 * with the lock would wait for that snapshot forever.
 */
async function lockMigrations(session: Session, clock: Clock, signal: AbortSignal): Promise<void> {
  for (;;) {
    const text = `select pg_try_advisory_lock(${lockKey})::text as locked`;
    const [row] = await session.query({ text }, []);
    if (row?.locked === "true") return;
    await clock.sleep(500, signal);
  }
}

async function applyInTransaction(
  session: Session,
  migration: Migration,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await session.execute("begin");
    try {
      await session.execute(`set local lock_timeout = ${lockTimeoutMs}`);
      await session.execute(migration.sql);
      await record(session, migration);
      await session.execute("commit");
      return;
    } catch (error) {
      // A failed rollback is ignored. If the connection is broken, the server rolls back the transaction itself.
      await session.execute("rollback").catch(() => {});
      if (sqlFailure(error)?.state !== lockNotAvailable) throw error;
    }
    await clock.sleep(backoffMs(lockRetry, attempt), signal);
  }
}

/** SQLSTATE `lock_not_available`. */
const lockNotAvailable = "55P03";

async function applyStatements(session: Session, migration: Migration): Promise<void> {
  await dropInvalidIndexes(session);
  for (const statement of statementsOf(migration.sql)) await session.execute(statement);
  await record(session, migration);
}

/** Drops invalid indexes. An interrupted concurrent build leaves an unusable index, which `if not exists` would not replace. */
async function dropInvalidIndexes(session: Session): Promise<void> {
  const text =
    "select indexrelid::regclass::text as name from pg_index join pg_class on pg_class.oid = indexrelid" +
    " where not indisvalid and relnamespace = current_schema()::regnamespace";
  for (const { name } of await session.query({ text }, []))
    await session.execute(`drop index concurrently if exists ${name}`);
}

async function record(session: Session, { version, breaking }: Migration): Promise<void> {
  const text = "insert into schema_migrations (version, breaking) values ($1, $2)";
  await session.query({ text }, [version, breaking]);
}
