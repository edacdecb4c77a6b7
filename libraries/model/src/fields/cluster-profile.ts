import { type Field, object, text } from "./field.ts";

/** Fields for provisioning state, cluster settings and console. */
export const clusterProfileFields: readonly Field[] = [
  object("properties", "always"),
  text("properties.provisioningState", {
    values: ["Creating", "Updating", "AdminUpdating", "Deleting", "Succeeded", "Failed"],
  }),
  object("properties.clusterProfile", "always"),
  text("properties.clusterProfile.pullSecret", { secret: true }),
  text("properties.clusterProfile.domain"),
  text("properties.clusterProfile.version", { filledIn: true }),
  text("properties.clusterProfile.resourceGroupId", { ignoreCase: true }),
  text("properties.clusterProfile.fipsValidatedModules", {
    since: "2022-04-01",
    storedDefault: "Disabled",
    values: ["Enabled", "Disabled"],
  }),
  text("properties.clusterProfile.oidcIssuer", {
    since: "2024-08-12-preview",
    readOnly: { since: "2024-08-12-preview", sent: "refused" },
  }),
  object("properties.consoleProfile", "always"),
  text("properties.consoleProfile.url", {
    filledIn: true,
    readOnly: { since: "2023-11-22", sent: "refused unless empty" },
  }),
];
