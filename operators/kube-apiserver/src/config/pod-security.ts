import type { JsonObject } from "@keelson/base";

/**
 * Returns the defaults of pod security admission. Namespaces without labels get the level `restricted` only if the gate is
 * enabled.
 */
export function podSecurityDefaults(isEnforced: boolean): JsonObject {
  return {
    enforce: isEnforced ? "restricted" : "privileged",
    "enforce-version": "latest",
    audit: "restricted",
    "audit-version": "latest",
    warn: "restricted",
    "warn-version": "latest",
  };
}

export const podSecurityGate = "OpenShiftPodSecurityAdmission";
