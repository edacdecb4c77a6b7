import { type AdminRole, hasRole } from "@keelson/auth";
import { adminActions } from "../actions/admin-actions.ts";

/** Permission for one route of the admin API. */
export interface AdminPermission {
  readonly method: "GET" | "PUT" | "PATCH" | "POST" | "DELETE";
  /** Path relative to the cluster's path, for example `redeployvm`. A path with a leading slash is an absolute path. */
  readonly path: string;
  /** Minimum role for the route. */
  readonly role: AdminRole;
  readonly summary: string;
}

const routeOf =
  (role: AdminRole, usualMethod: AdminPermission["method"]) =>
  (path: string, summary: string, method = usualMethod): AdminPermission => ({ method, path, role, summary });
const reads = routeOf("reader", "GET");
const operates = routeOf("operator", "POST");
const elevated = routeOf("elevated", "POST");

/**
 * All routes of the admin API with their minimum roles. The API checks requests against this table. The portal uses the table to
 * show a person's permissions. docs/admin-actions.md contains a copy of the table.
 */
export const adminPermissions: readonly AdminPermission[] = [
  ...adminActions.map(({ method, suffix, role, summary }) => ({ method, path: suffix, role, summary })),
  operates("kubeconfig/new", "a kubeconfig that may read"),
  elevated("kubeconfig/newelevated", "a kubeconfig with all rights"),
  elevated("ssh/newelevated", "SSH to a master"),
  reads("clusterdeployment", "the cluster in Hive"),
  reads("clustersync", "the state of the cluster's sync sets"),
  reads("operations", "operations of the last seven days"),
  reads("actions", "what administrators did"),
  reads("actions/:actionId", "one of these actions"),
  reads("selectors", "what maintenance schedules select by"),
  reads("maintenancemanifests", "the cluster's maintenance"),
  operates("maintenancemanifests", "plan maintenance", "PUT"),
  reads("maintenancemanifests/:manifestId", "one maintenance manifest"),
  operates("maintenancemanifests/:manifestId", "delete a maintenance manifest", "DELETE"),
  operates("maintenancemanifests/:manifestId/cancel", "cancel maintenance"),
  reads("/admin/versions", "versions that can be installed"),
  elevated("/admin/versions", "offer a version", "PUT"),
  reads("/admin/platformworkloadidentityrolesets", "roles of managed identities"),
  elevated("/admin/platformworkloadidentityrolesets", "write a role set", "PUT"),
  reads("/admin/supportedvmsizes", "sizes that are supported"),
  reads("/admin/clusters", "the clusters of all subscriptions"),
  reads("/admin/providers/:namespace/:type", "the clusters of the region"),
  reads("/admin/maintenancemanifests/queued", "maintenance that waits"),
  operates("/admin/maintenancemanifests/cancel", "cancel the maintenance of a schedule"),
  reads("/admin/maintenanceschedules", "maintenance schedules"),
  reads("/admin/maintenanceschedules/:scheduleId", "one maintenance schedule"),
  elevated("/admin/maintenanceschedules", "write a maintenance schedule", "PUT"),
  reads("/admin/billingdocuments", "for what clusters are billed"),
  reads("/admin/billingdocuments/:billingDocumentId", "one billing document"),
  reads("/admin/hivesyncset", "sync sets of Hive"),
  reads("/admin/hivesyncset/syncsetname/:syncSetName", "one sync set"),
  reads("/admin/hive/k8sobjects/:hiveResource", "objects of Hive's cluster"),
];

const byRoute = new Map(adminPermissions.map((each) => [`${each.method} ${each.path}`, each]));

/** Finds a permission by its method and path. */
export function findAdminPermission(method: string, path: string): AdminPermission | undefined {
  return byRoute.get(`${method} ${path}`);
}

/**
 * Returns the role for requests with the API version `admin` to paths of the customer API. With this version, callers can read
 * and change more properties than customers can.
 */
export function roleOfAdminVersion(method: string): AdminRole {
  return method === "GET" || method === "HEAD" ? "reader" : "elevated";
}

/** True if actions with this role need a reason when the configuration requires reasons. */
export function needsReason(role: AdminRole): boolean {
  return role === "elevated";
}

/**
 * Lists the cluster actions, and for each action whether the role may run it. `requireReason` is the configuration setting in
 * `callers.adminRoles`.
 */
export function permissionsOf(
  role: AdminRole,
  requireReason: boolean,
): readonly { readonly action: string; readonly allowed: boolean; readonly needsReason: boolean }[] {
  return adminPermissions
    .filter(({ path }) => !path.startsWith("/"))
    .map(({ method, path, role: needed }) => ({
      action: `${method} ${path}`,
      allowed: hasRole(role, needed),
      needsReason: requireReason && needsReason(needed),
    }));
}
