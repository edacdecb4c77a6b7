import type { Permission, Role } from "@keelson/portal-api";

/** Permissions of a role in the admin API. */
export type PermissionsOf = (role: Role) => readonly Permission[];
