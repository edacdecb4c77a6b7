import { type Field, map, object, text, textMap, time } from "./field.ts";

const systemData = { since: "2021-09-01-preview" };
const identity = { since: "2024-08-12-preview" };
const filledByService = { ...identity, readOnly: { since: identity.since, sent: "ignored" } } as const;

/** Fields of every tracked ARM resource. */
export const resourceFields: readonly Field[] = [
  text("id", { ignoreCase: true }),
  text("name", { ignoreCase: true }),
  text("type", { ignoreCase: true }),
  text("location"),
  object("systemData", "always", { ...systemData, readOnly: { since: "2023-11-22", sent: "refused" } }),
  text("systemData.createdBy", systemData),
  text("systemData.createdByType", systemData),
  time("systemData.createdAt", systemData),
  text("systemData.lastModifiedBy", systemData),
  text("systemData.lastModifiedByType", systemData),
  time("systemData.lastModifiedAt", systemData),
  textMap("tags", { mutable: true, replacedWhole: "always" }),
];

/** Identity of the cluster. It is the last field of a cluster. */
export const identityFields: readonly Field[] = [
  object("identity", "optional", { ...identity, internalName: "managedServiceIdentity" }),
  text("identity.type", identity),
  text("identity.principalId", filledByService),
  text("identity.tenantId", filledByService),
  map("identity.userAssignedIdentities", {
    ...identity,
    mutable: true,
    ignoreCase: true,
    replacedWhole: "when not empty",
  }),
  text("identity.userAssignedIdentities{}.clientId", filledByService),
  text("identity.userAssignedIdentities{}.principalId", filledByService),
];
