import { type Field, map, object, text } from "./field.ts";

const since = "2024-08-12-preview";
const filledByService = { since, readOnly: { since, sent: "ignored" } } as const;
const identities = "properties.platformWorkloadIdentityProfile.platformWorkloadIdentities";

/** Fields for the cluster's Azure credentials: a service principal, or one managed identity per operator. */
export const credentialFields: readonly Field[] = [
  object("properties.servicePrincipalProfile", "optional"),
  text("properties.servicePrincipalProfile.clientId", { mutable: true }),
  text("properties.servicePrincipalProfile.clientSecret", { mutable: true, secret: true }),
  object("properties.platformWorkloadIdentityProfile", "optional", { since }),
  text("properties.platformWorkloadIdentityProfile.upgradeableTo", { since, mutable: true }),
  map(identities, { since, mutable: true, identifiedBy: "resourceId" }),
  text(`${identities}{}.resourceId`, { since, ignoreCase: true }),
  text(`${identities}{}.clientId`, filledByService),
  text(`${identities}{}.objectId`, filledByService),
];
