import type { Session } from "../drivers/driver.ts";
import type { Migration } from "../migrations/migration.ts";
import type { Grants } from "./wanted-grants.ts";

/** PostgreSQL role with the properties that affect its grants. */
export interface StoredRole {
  readonly exists: boolean;
  /** True if the role's privileges do not depend on grants: it is a superuser or owns tables of the service. */
  readonly hasAllRights: boolean;
  readonly grants: Grants;
}

/** Reads the privileges of a role on objects that migrations created. Ignores objects of other programs. */
export async function readRole(
  session: Session,
  role: string,
  migrations: readonly Migration[],
): Promise<StoredRole> {
  const [found] = await session.query(
    {
      text: `select r.oid::text as oid, (r.rolsuper or exists (
  select 1 from pg_class c where c.relowner = r.oid and c.relkind = 'r'
    and c.relnamespace = current_schema()::regnamespace and c.relname = any (string_to_array($2::text, ','))
))::text as all_rights from pg_roles r where r.rolname = $1::text`,
    },
    [role, madeObjects(migrations, "table").join(",")],
  );
  if (!found) return { exists: false, hasAllRights: false, grants: new Map() };
  const made = [
    ...madeObjects(migrations, "table").map((name) => `table ${name}`),
    ...madeObjects(migrations, "sequence").map((name) => `sequence ${name}`),
  ];
  const functions = madeObjects(migrations, "function");
  const rows = await session.query({ text: storedPrivileges }, [found.oid ?? ""]);
  const grants = new Map<string, Set<string>>();
  for (const { object, name, privilege } of rows) {
    const isOurs = object?.startsWith("function ")
      ? functions.includes(name ?? "")
      : made.includes(object ?? "");
    if (!object || !privilege || !(isOurs || object.startsWith("schema "))) continue;
    grants.set(object, (grants.get(object) ?? new Set()).add(privilege));
  }
  return { exists: true, hasAllRights: found.all_rights === "true", grants };
}

const storedPrivileges = `select case c.relkind when 'S' then 'sequence ' else 'table ' end || c.relname as object,
  c.relname::text as name, lower(a.privilege_type) as privilege
from pg_class c cross join lateral aclexplode(c.relacl) a
where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'S') and a.grantee = $1::oid
union all
select 'function ' || p.proname || '(' || (
    select coalesce(string_agg(format_type(t, null), ', ' order by place), '')
    from unnest(p.proargtypes) with ordinality argument(t, place)
  ) || ')', p.proname::text, lower(a.privilege_type)
from pg_proc p cross join lateral aclexplode(p.proacl) a
where p.pronamespace = current_schema()::regnamespace and a.grantee = $1::oid
union all
select 'schema ' || quote_ident(n.nspname), n.nspname::text, lower(a.privilege_type)
from pg_namespace n cross join lateral aclexplode(n.nspacl) a
where n.nspname = current_schema() and a.grantee = $1::oid`;

/** Returns the names of objects that migrations create. Includes `schema_migrations`, which exists before the first migration. */
function madeObjects(
  migrations: readonly Migration[],
  kind: "table" | "sequence" | "function",
): readonly string[] {
  const created = new RegExp(`^create (?:or replace )?${kind} (?:if not exists )?(\\w+)`, "gm");
  const names = migrations.flatMap(({ sql }) => [...sql.matchAll(created)].map(([, name = ""]) => name));
  return [...new Set(kind === "table" ? ["schema_migrations", ...names] : names)];
}
