import type { Definitions } from "../documents/database.ts";
import { errors } from "../documents/errors.ts";
import type { Session } from "../drivers/driver.ts";
import type { Migration } from "../migrations/migration.ts";
import type { RoleAccess } from "./access.ts";
import { readRole } from "./stored-grants.ts";
import { type Grants, wantedGrants } from "./wanted-grants.ts";

/** Service roles by the PostgreSQL role with which their processes sign in. */
export type RolesByLogin<D extends Definitions> = ReadonlyMap<string, readonly RoleAccess<D>[]>;

/**
 * Returns the statements that grant each PostgreSQL role the privileges of its service roles. If `revokes` is true, the
 * statements also revoke all other privileges of this role on the service's objects. Empty if nothing changes.
 * @throws UnusableRole
 */
export async function grantStatements<D extends Definitions>(
  session: Session,
  {
    definitions,
    roles,
    revokes,
    migrations,
  }: {
    readonly definitions: D;
    readonly roles: RolesByLogin<D>;
    readonly revokes: boolean;
    readonly migrations: readonly Migration[];
  },
): Promise<readonly string[]> {
  const [row] = await session.query({ text: "select quote_ident(current_schema()) as name" }, []);
  const schema = row?.name ?? "public";
  const statements: string[] = [];
  for (const [login, access] of roles) {
    const stored = await readRole(session, login, migrations);
    if (!stored.exists) {
      throw errors.UnusableRole(
        `PostgreSQL has no role "${login}". Create it with \`create role ${quoted(login)} login\`.`,
      );
    }
    if (stored.hasAllRights) {
      throw errors.UnusableRole(
        `The PostgreSQL role "${login}" is a superuser or owns tables of the service, so grants do not limit it. Name another role.`,
      );
    }
    const wanted = wantedGrants(definitions, access, schema);
    statements.push(...difference(wanted, stored.grants, "grant", `to ${quoted(login)}`));
    if (revokes) statements.push(...difference(stored.grants, wanted, "revoke", `from ${quoted(login)}`));
  }
  return statements;
}

/** Returns one statement for each object on which `some` contains privileges that `others` lacks. */
function difference(some: Grants, others: Grants, verb: string, suffix: string): readonly string[] {
  return [...some].flatMap(([object, privileges]) => {
    const missing = [...privileges.difference(others.get(object) ?? new Set())].sort();
    return missing.length === 0 ? [] : [`${verb} ${missing.join(", ")} on ${object} ${suffix}`];
  });
}

function quoted(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}
