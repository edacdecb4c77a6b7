import { administrationFields } from "../fields/administration.ts";
import { administrationRules } from "../rules/administration.ts";
import { findApiVersion } from "./api-versions.ts";
import { type ApiVersion, defineVersion } from "./version.ts";

/**
 * The version that administrators call: every field of every customer's version but `systemData`, and those
 * that the service keeps from customers. It changes what is the administrators' to change, and queues maintenance.
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

/** A version that customers or administrators call. Who may call which is the authorizer's to say. */
export function findAnyVersion(name: string): ApiVersion | undefined {
  return name === adminVersion.name ? adminVersion : findApiVersion(name);
}
