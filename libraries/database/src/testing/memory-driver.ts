import { createHash, randomUUID } from "node:crypto";
import { mkdir, mkdtempDisposable, readFile, rename, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { silentLogger } from "@keelson/base";
import type { Driver } from "../drivers/driver.ts";
import { migrate } from "../migrations/migrate.ts";
import { type Migration, readMigrations } from "../migrations/migration.ts";
import { createPglite, pgliteConnection } from "../pglite/connection.ts";
import { keptPath } from "../pglite/data-directory.ts";
import { pgliteDriver } from "../pglite/driver.ts";

/** Maximum number of unused databases. Each uses about 100 MB of memory. */
const maxIdle = 2;
/**
 * Maximum number of deleted rows in a reused database. A database with more deleted rows is closed, because they slow down later
 * queries.
 */
const maxDeletedRows = 2_000;
/** Time in ms after which an unused database is closed, because its timers would keep the process running. */
const idleMs = 300;
const idle: PGlite[] = [];
let idleTimer: NodeJS.Timeout | undefined;

/**
 * Returns a driver for embedded PostgreSQL in memory with the current schema and no documents. Disposal empties the database. The
 * next `open` in this process reuses the empty database, because the creation of a database takes half a second of CPU time.
 * Callers must not change the schema.
 */
export async function memoryDriver(): Promise<Driver> {
  const dataDirectory = await image();
  return {
    name: "pglite",
    exclusive: true,
    async open({ signal }) {
      signal.throwIfAborted();
      const database = idle.pop() ?? (await createPglite({ loadDataDir: dataDirectory }));
      return pgliteConnection(database, () => release(database));
    },
  };
}

/**
 * Returns a driver for embedded PostgreSQL in memory that is not shared with other tests. The initial data directory is created
 * once per PGlite version and schema. It is stored next to the installed packages.
 */
export async function freshMemoryDriver(): Promise<Driver> {
  return pgliteDriver({ dataDir: undefined, image: await image() });
}

/** Closes the database, or keeps it for the next test. */
async function release(database: PGlite): Promise<void> {
  if (idle.length >= maxIdle || (await reset(database)) > maxDeletedRows) return database.close();
  idle.push(database);
  clearTimeout(idleTimer);
  idleTimer = setTimeout(() => void closeIdle(), idleMs);
}

async function closeIdle(): Promise<void> {
  for (const database of idle.splice(0)) await database.close();
}

/**
 * Deletes all documents, restarts the sequences, and removes the session's prepared statements and channels. Returns the number
 * of deleted rows.
 */
async function reset(database: PGlite): Promise<number> {
  const { rows: channels } = await database.query<{ channel: string }>(
    "select pg_listening_channels() as channel",
  );
  for (const { channel } of channels) await database.unlisten(channel);
  // Disables triggers, which would notify listeners of each deletion. Rows are deleted and not truncated, because truncating is
  // slower: it creates new files for every table and index.
  await database.exec(`
    deallocate all;
    set session_replication_role = replica;
    do $$
    declare
      name text;
      deleted bigint;
      total bigint := 0;
    begin
      for name in select tablename from pg_tables where schemaname = 'public' and tablename <> 'schema_migrations' loop
        execute format('delete from %I', name);
        get diagnostics deleted = row_count;
        total := total + deleted;
      end loop;
      for name in select sequencename from pg_sequences where schemaname = 'public' loop
        execute format('alter sequence %I restart', name);
      end loop;
      perform set_config('keelson.deleted_rows', total::text, false);
    end $$;
    reset session_replication_role`);
  const { rows } = await database.query<{ total: string }>(
    "select current_setting('keelson.deleted_rows') as total",
  );
  return Number(rows[0]?.total);
}

let made: Promise<Blob> | undefined;

function image(): Promise<Blob> {
  made ??= readImage();
  return made;
}

async function readImage(): Promise<Blob> {
  const migrations = await readMigrations();
  const schema = createHash("sha256").update(JSON.stringify(migrations)).digest("hex").slice(0, 16);
  const file = `${keptPath()}-${schema}.tar`;
  const kept = await readFile(file).catch(() => undefined);
  if (kept) return new Blob([kept]);
  const bytes = await makeImage(migrations);
  await mkdir(dirname(file), { recursive: true });
  // Each concurrent test writes a separate temporary file. The rename then always installs a complete file.
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, bytes);
  await rename(draft, file);
  return new Blob([bytes]);
}

async function makeImage(migrations: readonly Migration[]): Promise<Buffer<ArrayBuffer>> {
  const signal = AbortSignal.timeout(900_000);
  await using directory = await mkdtempDisposable(join(tmpdir(), "keelson-schema-"));
  const dataDir = join(directory.path, "database");
  {
    await using connection = await pgliteDriver({ dataDir }).open({ logger: silentLogger, signal });
    await migrate(connection, migrations, { signal });
  }
  // Disposal closes the database properly, so the copied files need no recovery.
  await using database = await PGlite.create(dataDir);
  return Buffer.from(await (await database.dumpDataDir("none")).arrayBuffer());
}
