import { silentLogger } from "@keelson/base";
import { pgliteDriver } from "@keelson/database";

/**
 * Limits the time to live of all documents in an embedded database that no process has open. The service deletes operations after
 * seven days, so that their number is constant only after seven days of constant load. With the limit that takes an hour.
 */
export async function shortenRetention(dataDir: string, minutes: number, signal: AbortSignal): Promise<void> {
  await using connection = await pgliteDriver({ dataDir }).open({ logger: silentLogger, signal });
  const tables = await expiringTables(connection, signal);
  const limit = `now() + interval '${minutes} minutes'`;
  const statements = tables.map(
    (table) => `create or replace trigger soak_retention before insert or update on ${table}
for each row when (new.expires_at > ${limit}) execute function soak_retention()`,
  );
  await connection.session(async (session) => {
    await session.execute(`create or replace function soak_retention() returns trigger language plpgsql as
$$ begin new.expires_at := ${limit}; return new; end $$`);
    for (const statement of statements) await session.execute(statement);
  }, signal);
}

/** Number of documents in each table of an embedded database that no process has open. */
export async function countDocuments(
  dataDir: string,
  signal: AbortSignal,
): Promise<Readonly<Record<string, number>>> {
  await using connection = await pgliteDriver({ dataDir }).open({ logger: silentLogger, signal });
  const counts: Record<string, number> = {};
  for (const table of await expiringTables(connection, signal)) {
    const [row] = await connection.query({ text: `select count(*)::text as n from ${table}` }, [], signal);
    counts[table] = Number(row?.n);
  }
  return counts;
}

type Connection = Awaited<ReturnType<ReturnType<typeof pgliteDriver>["open"]>>;

async function expiringTables(connection: Connection, signal: AbortSignal): Promise<readonly string[]> {
  const text =
    "select table_name as name from information_schema.columns where column_name = 'expires_at' order by table_name";
  return (await connection.query({ text }, [], signal)).map(({ name }) => String(name));
}
