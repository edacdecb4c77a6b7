import { managedIdentity } from "../resources/identity.ts";
import { defineTemplate } from "../template/template.ts";
import { identityName } from "./names.ts";

/** Made first: what the identities may do is said by their object IDs. */
export const rpIdentityTemplate = defineTemplate({
  file: "rp-production-managed-identity",
  parameters: {},
  resources: () => [managedIdentity(identityName("rp"))],
});

export const gatewayIdentityTemplate = defineTemplate({
  file: "gateway-production-managed-identity",
  parameters: {},
  resources: () => [managedIdentity(identityName("gateway"))],
});
