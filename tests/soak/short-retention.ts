import { silentLogger } from "@keelson/base";
import { type Driver, pgliteDriver } from "@keelson/database";

/** Direct connection to the database, which bypasses the service's store. */
export type RawDatabase = Awaited<ReturnType<Driver["open"]>>;

/** Opens an embedded database. No other process may have it open. */
export function openRaw(dataDir: string, signal: AbortSignal): Promise<RawDatabase> {
  return pgliteDriver({ dataDir }).open({ logger: silentLogger, signal });
}

/**
 * Limits the lifetime of all documents that are written after this call to `minutes` minutes. The service keeps operations for
 * seven days, so their number becomes constant only after seven days. With a limit of one hour, it becomes constant after one
 * hour.
 */
export async function shortenRetention(
  database: RawDatabase,
  minutes: number,
  signal: AbortSignal,
): Promise<void> {
  const limit = `now() + interval '${minutes} minutes'`;
  const tables = await expiringTables(database, signal);
  await database.session(async (session) => {
    await session.execute(`create or replace function soak_retention() returns trigger language plpgsql as
$$ begin new.expires_at := ${limit}; return new; end $$`);
    for (const table of tables)
      await session.execute(`create or replace trigger soak_retention before insert or update on ${table}
for each row when (new.expires_at > ${limit}) execute function soak_retention()`);
  }, signal);
}

/** Returns the number of documents in each table. */
export async function countDocuments(
  database: RawDatabase,
  signal: AbortSignal,
): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (const table of await expiringTables(database, signal)) {
    const [row] = await database.query({ text: `select count(*)::text as n from ${table}` }, [], signal);
    counts[table] = Number(row?.n);
  }
  return counts;
}

async function expiringTables(database: RawDatabase, signal: AbortSignal): Promise<readonly string[]> {
  const text =
    "select table_name as name from information_schema.columns where column_name = 'expires_at' order by table_name";
  return (await database.query({ text }, [], signal)).map(({ name }) => String(name));
}
