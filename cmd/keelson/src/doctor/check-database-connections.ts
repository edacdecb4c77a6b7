import type { Connection } from "@keelson/database";
import { type Finding, ok, warning } from "./finding.ts";

const check = "connections of the database";
/** Connections of a process in addition to `database.maxConnections`: notifications and the commit probe. */
const furtherConnections = 2;
const defaultMaxConnections = 10;

/** Excludes connections that PostgreSQL reserves. The statement requires no privilege. */
const statement =
  "select (current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int" +
  " - coalesce(current_setting('reserved_connections', true), '0')::int)::text as usable," +
  " (select sum(numbackends) from pg_stat_database)::text as used";

/** Checks that PostgreSQL has enough free connections for one more process, for example during a rolling upgrade. */
export async function checkDatabaseConnections(
  connection: Pick<Connection, "query">,
  maxConnections: number = defaultMaxConnections,
  signal: AbortSignal,
): Promise<Finding> {
  const [row] = await connection.query({ text: statement }, [], signal);
  const [usable, used] = [Number(row?.usable), Number(row?.used)];
  const needed = maxConnections + furtherConnections;
  const summary = `${used} of ${usable} are in use, and one process opens up to ${needed}`;
  if (usable - used >= needed) return ok(check, summary);
  return warning(
    check,
    summary,
    "increase max_connections of the server as calculated in docs/database.md, or reduce database.maxConnections",
    `psql -c "show max_connections" -c "select client_addr, application_name, count(*) from pg_stat_activity group by 1, 2" <database.url>`,
  );
}
