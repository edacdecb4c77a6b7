import type { Definitions } from "../documents/database.ts";
import { type Table, tableOf } from "../documents/table.ts";
import type { CollectionAccess, RoleAccess } from "./access.ts";

/** Privileges of one PostgreSQL role, by SQL object name, for example `table gateways`. */
export type Grants = ReadonlyMap<string, ReadonlySet<string>>;

const writes: readonly CollectionAccess[] = ["create", "replace", "remove", "lease"];
const announcedChanges = ["select", "insert", "update", "delete"];

/** Returns the privileges that the statements of these roles require in the schema `schema`. */
export function wantedGrants<D extends Definitions>(
  definitions: D,
  roles: readonly RoleAccess<D>[],
  schema: string,
): Grants {
  const grants = new Map<string, Set<string>>();
  const add = (object: string, privileges: readonly string[]) => {
    const known = grants.get(object) ?? new Set();
    grants.set(object, known.union(new Set(privileges)));
  };
  add(`schema ${schema}`, ["usage"]);
  add("table schema_migrations", ["select"]);
  for (const { collections, sweeps } of roles) {
    for (const [name, definition] of Object.entries(definitions)) {
      const table = tableOf(definition);
      const access = collections[name] ?? [];
      const privileges = [
        ...access.flatMap((each) => tablePrivileges(table, each)),
        ...(sweeps && table.expires ? ["select", "update", "delete"] : []),
      ];
      if (privileges.length > 0) add(`table ${table.name}`, privileges);
      for (const each of access)
        for (const [object, privilege] of usedBy(table, each)) add(object, [privilege]);
    }
    const isWriter =
      sweeps ||
      Object.values(collections).some((access = []) => access.some((each) => writes.includes(each)));
    if (!isWriter) continue;
    add("table pending_changes", announcedChanges);
    add("sequence change_position", ["usage"]);
    add("sequence document_etag", ["usage"]);
    add("function require_effect(text, integer)", ["execute"]);
  }
  return grants;
}

/**
 * Returns the privileges on a table. Updates, and queries that lock rows, require `update`. A creation requires `delete` if it
 * may replace an expired document.
 */
function tablePrivileges({ expires }: Table, access: CollectionAccess): readonly string[] {
  switch (access) {
    case "read":
      return ["select"];
    case "create":
      return ["select", "insert", ...(expires ? ["delete"] : [])];
    case "replace":
    case "lease":
      return ["select", "update"];
    case "remove":
      return ["select", "delete"];
  }
}

/** Returns the sequences and functions that statements on this table use. */
function usedBy(
  table: Table,
  access: CollectionAccess,
): readonly (readonly [object: string, privilege: string])[] {
  if (!table.leased) return [];
  const queues = access === "create" || access === "replace" || access === "lease";
  const leases = access === "create" || access === "lease";
  const acquires = table.fair && access === "lease";
  const limits = table.fair && access === "create";
  return [
    ...(queues ? [["sequence queue_position", "usage"] as const] : []),
    ...(leases ? [["sequence lease_generation", "usage"] as const] : []),
    ...(acquires
      ? [[`function acquire_${table.name}(text, double precision, bigint, bigint)`, "execute"] as const]
      : []),
    ...(limits ? [[`function require_room_in_${table.name}(text, bigint, bigint)`, "execute"] as const] : []),
  ];
}
