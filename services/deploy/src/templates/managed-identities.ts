import { managedIdentity } from "../resources/identity.ts";
import { identityName } from "../template/names.ts";
import { defineTemplate } from "../template/template.ts";

/**
 * Template of the managed identities. It is deployed first, because role assignments in later templates need their object IDs.
 */
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
