import { maintenanceSignals, maintenanceTasks } from "../cluster/maintenance-state.ts";
import { boolean, type Field, integer, list, object, text, textMap, time } from "./field.ts";

/**
 * First version with these fields. Versions are compared as strings, and `admin` sorts after all dates. No dated version
 * therefore has these fields, and `admin` has all fields of the dated versions.
 */
const since = "admin";
const readOnly = { since, readOnly: { since, sent: "refused if changed" } } as const;
const network = "properties.networkProfile";

/** Fields that only the version `admin` has: settings of administrators and internal fields of the service. */
export const administrationFields: readonly Field[] = [
  text("operatorFlagsMergeStrategy", { since, requestOnly: true, values: ["", "merge", "reset"] }),
  integer("properties.architectureVersion", readOnly),
  text("properties.lastProvisioningState", readOnly),
  text("properties.failedProvisioningState", readOnly),
  text("properties.lastAdminUpdateError", readOnly),
  text("properties.maintenanceTask", { since, values: ["", ...maintenanceTasks, ...maintenanceSignals] }),
  text("properties.maintenanceState", readOnly),
  textMap("properties.operatorFlags", { since }),
  text("properties.operatorVersion", { since }),
  time("properties.createdAt", readOnly),
  text("properties.createdBy", readOnly),
  text("properties.provisionedBy", readOnly),
  object("properties.featureProfile", "filled", { since }),
  boolean("properties.featureProfile.gatewayEnabled", { since }),
  text("properties.servicePrincipalProfile.spObjectId", readOnly),
  text(`${network}.softwareDefinedNetwork`, readOnly),
  integer(`${network}.mtuSize`, readOnly),
  text(`${network}.privateEndpointIp`, readOnly),
  text(`${network}.gatewayPrivateEndpointIp`, readOnly),
  text(`${network}.gatewayPrivateLinkId`, readOnly),
  text("properties.apiserverProfile.intIp", readOnly),
  object("properties.install", "optional", readOnly),
  time("properties.install.now", readOnly),
  text("properties.install.phase", readOnly),
  text("properties.storageSuffix", readOnly),
  text("properties.imageRegistryStorageAccountName", readOnly),
  text("properties.infraId", readOnly),
  list("properties.registryProfiles", readOnly),
  text("properties.registryProfiles[].name", readOnly),
  text("properties.registryProfiles[].username", readOnly),
  time("properties.registryProfiles[].issueDate", readOnly),
  object("properties.hiveProfile", "filled", readOnly),
  text("properties.hiveProfile.namespace", readOnly),
  boolean("properties.hiveProfile.createdByHive", readOnly),
];
