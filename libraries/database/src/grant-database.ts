import type { Logger } from "@keelson/base";
import type { Definitions } from "./documents/database.ts";
import { errors } from "./documents/errors.ts";
import type { DocumentDriver } from "./drivers/document-driver.ts";
import type { Driver } from "./drivers/driver.ts";
import { grantStatements, type RolesByLogin } from "./grants/grant-statements.ts";
import { readMigrations } from "./migrations/migration.ts";

export interface GrantDatabaseOptions<D extends Definitions> {
  readonly driver: Driver | DocumentDriver;
  readonly definitions: D;
  readonly roles: RolesByLogin<D>;
  /** False to keep additional privileges, which processes of an earlier version may still need. Default: true. */
  readonly revokes?: boolean;
  /** True to return the statements without executing them. Default: false. */
  readonly dryRun?: boolean;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/**
 * Grants each PostgreSQL role the privileges that its service roles need. If `revokes` is true, revokes all other privileges of
 * this role on the service's objects. Uses one transaction. Returns the executed statements. A second call executes no
 * statements.
 * @throws UnusableRole, StoreUnavailable
 */
export async function grantDatabase<D extends Definitions>(
  options: GrantDatabaseOptions<D>,
): Promise<readonly string[]> {
  const { driver, definitions, roles, revokes = true, dryRun = false, logger, signal } = options;
  if ("openStore" in driver || driver.exclusive) {
    throw errors.UnusableRole(
      `Only a PostgreSQL server has roles, and this database is ${driver.name}. Set database.kind to postgres.`,
    );
  }
  await using connection = await driver.open({ logger, signal });
  const migrations = await readMigrations();
  return await connection.session(async (session) => {
    await session.execute("begin");
    try {
      // PostgreSQL rejects concurrent changes of the same catalog rows, so runs are serialized by a lock.
      await session.query({ text: "select pg_advisory_xact_lock(hashtext('keelson.grants'))::text" }, []);
      const statements = await grantStatements(session, { definitions, roles, revokes, migrations });
      if (!dryRun) for (const statement of statements) await session.execute(statement);
      await session.execute("commit");
      return statements;
    } catch (error) {
      await session.execute("rollback").catch(() => {});
      throw error;
    }
  }, signal);
}
