import type { JsonObject } from "@keelson/base";

/** The defaults of pod security admission: namespaces without labels are restricted only where the gate is on. */
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
