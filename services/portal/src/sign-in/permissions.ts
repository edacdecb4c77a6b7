import type { Permission, Role } from "@keelson/portal-api";

/** Returns the admin API permissions of a role. */
export type PermissionsOf = (role: Role) => readonly Permission[];
