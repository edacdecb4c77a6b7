import type { Definitions } from "../documents/database.ts";
import type { CollectionAccess, RoleAccess } from "./access.ts";

/** Roles of the service that access the database. */
export const databaseRoles = ["rp", "maintenance", "monitor", "portal", "gateway"] as const;
export type DatabaseRole = (typeof databaseRoles)[number];

const reads: readonly CollectionAccess[] = ["read"];
const keeps: readonly CollectionAccess[] = ["read", "create", "replace"];

/**
 * Access of each role to collections. `keelson migrate --grant` grants exactly these permissions. Extend this table before a role
 * accesses a collection in a new way. `tests/e2e/database-roles.ts` runs each role with only these permissions.
 */
export const roleAccess = {
  rp: {
    sweeps: true,
    collections: {
      clusters: [...keeps, "remove", "lease"],
      operations: keeps,
      journal: keeps,
      stepLogs: keeps,
      subscriptions: [...keeps, "lease"],
      versions: keeps,
      defaultVersion: keeps,
      roleSets: keeps,
      gateways: keeps,
      portalSessions: ["read", "create"],
      portalSignOuts: reads,
      adminActions: [...keeps, "remove", "lease"],
      manifests: [...keeps, "remove"],
      schedules: keeps,
      poolWorkers: reads,
      jobs: [...keeps, "lease"],
      clusterHealth: ["read", "remove"],
      billing: keeps,
      elevations: reads,
    },
  },
  maintenance: {
    sweeps: false,
    collections: {
      clusters: ["read", "replace", "lease"],
      // The journal reads the document of an operation. The role needs this permission, although maintenance tasks have no such
      // document.
      operations: reads,
      journal: keeps,
      stepLogs: keeps,
      subscriptions: reads,
      versions: reads,
      roleSets: reads,
      manifests: [...keeps, "lease"],
      schedules: reads,
      poolWorkers: [...keeps, "remove"],
      bucketAllocations: keeps,
    },
  },
  monitor: {
    sweeps: false,
    collections: {
      clusters: reads,
      subscriptions: reads,
      poolWorkers: [...keeps, "remove"],
      bucketAllocations: keeps,
      clusterHealth: keeps,
    },
  },
  portal: {
    sweeps: false,
    collections: {
      clusters: reads,
      operations: reads,
      journal: reads,
      stepLogs: reads,
      adminActions: reads,
      manifests: reads,
      clusterHealth: reads,
      portalSessions: [...keeps, "remove"],
      portalSignOuts: keeps,
      sshRecordings: keeps,
      portalSignIns: [...keeps, "remove"],
      actionRequests: keeps,
      elevations: [...keeps, "remove"],
    },
  },
  gateway: { sweeps: false, collections: { gateways: reads } },
} as const satisfies Readonly<Record<DatabaseRole, RoleAccess<Definitions>>>;

/** Names of the collections in `roleAccess`. `definitions` of `@keelson/model` declares all of them. */
export type GrantedCollection = {
  [Role in DatabaseRole]: keyof (typeof roleAccess)[Role]["collections"];
}[DatabaseRole];
