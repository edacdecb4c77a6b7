import { administrationFields } from "../fields/administration.ts";
import { administrationRules } from "../rules/administration.ts";
import { findApiVersion } from "./api-versions.ts";
import { type ApiVersion, defineVersion } from "./version.ts";

/**
 * API version for administrators. It contains every field of every customer version except `systemData`, and also internal fields
 * of the service. An update with this version changes only administrators' fields and queues maintenance.
 */
export const adminVersion: ApiVersion = defineVersion({
  name: "admin",
  operations: [],
  models: "hand-written",
  rules: administrationRules,
  with: administrationFields,
  without: ["systemData"],
  mutable: [
    "operatorFlagsMergeStrategy",
    "properties.maintenanceTask",
    "properties.operatorFlags",
    "properties.operatorVersion",
    "properties.networkProfile.outboundType",
    "properties.featureProfile.gatewayEnabled",
  ],
  echoes: true,
  updates: "maintenance",
});

/**
 * Finds a customer version or the administrator version. Undefined for an unknown name. The authorizer decides who may use the
 * version.
 */
export function findAnyVersion(name: string): ApiVersion | undefined {
  return name === adminVersion.name ? adminVersion : findApiVersion(name);
}
