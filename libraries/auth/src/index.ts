export { type AdminRole, type Admission, adminRoles, hasRole, rightsOf } from "./admin-role.ts";
export {
  type AuthorizationRequest,
  type Authorizer,
  acceptAll,
  authorizeBy,
  isAdminRequest,
} from "./authorizer.ts";
export { bearerTokens } from "./bearer-tokens.ts";
export { anyOf, type CallerRule } from "./caller-rule.ts";
export { certificateRoles } from "./certificates/certificate-roles.ts";
export { verifyingClients } from "./certificates/client-authorities.ts";
export { listedCertificates } from "./certificates/listed.ts";
export { namedCertificates } from "./certificates/named.ts";
export { PublishedCertificates } from "./certificates/published.ts";
export type { PortalAccess, PortalSsh } from "./portal-access.ts";
