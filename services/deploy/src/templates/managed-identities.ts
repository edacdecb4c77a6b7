import { managedIdentity } from "../resources/identity.ts";
import { identityName } from "../template/names.ts";
import { defineTemplate } from "../template/template.ts";

/** Deployed first, because role assignments of later templates need the object IDs. */
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
