import type { Permission, Role } from "@keelson/portal-api";

/** What people of a role may do through the admin API. */
export type PermissionsOf = (role: Role) => readonly Permission[];
