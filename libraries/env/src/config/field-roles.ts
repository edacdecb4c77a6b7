/** Commands that read `service.json`. */
export type ConfigRole = "rp" | "maintenance" | "monitor" | "portal";

/** Roles that use a top-level field of `service.json`. Fields that are missing here are used by all roles. */
const rolesByField: Readonly<Record<string, readonly ConfigRole[]>> = {
  tls: ["rp"],
  callers: ["rp", "portal"],
  port: ["rp"],
  skipTokenKey: ["rp"],
  otherSkipTokenKeys: ["rp"],
  versions: ["rp"],
  roleSets: ["rp"],
  portal: ["rp", "portal"],
  monitor: ["monitor"],
  retryAfterSeconds: ["rp"],
  workers: ["rp"],
  requestLimits: ["rp"],
  operationsPerSubscription: ["rp"],
  leaseMs: ["rp", "maintenance"],
  heartbeatMs: ["rp", "maintenance"],
  serveOnMs: ["rp", "portal"],
  drainMs: ["rp", "maintenance", "portal"],
};

/** True if a command reads a top-level field of `service.json`. */
export function readsField(role: ConfigRole, field: string): boolean {
  return rolesByField[field]?.includes(role) ?? true;
}

/** Adds the annotation `roles` to the fields that only some roles use. */
export function withRoles(properties: Readonly<Record<string, object>>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => {
      const roles = rolesByField[name];
      return [name, roles === undefined ? field : { ...field, roles }];
    }),
  );
}
