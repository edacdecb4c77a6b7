import type { ArmProvider } from "../arm/provider.ts";
import { federatedIdentityCredentials } from "./credentials/federated-identity-credentials.ts";
import { userAssignedIdentities } from "./user-assigned-identities.ts";

export const managedIdentityProvider: ArmProvider = {
  namespace: "Microsoft.ManagedIdentity",
  types: [userAssignedIdentities, federatedIdentityCredentials],
  firstApiVersion: "2015-08-31",
};
