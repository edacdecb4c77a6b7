export { type Authorizer, acceptAll, authorizeBy, isAdminRequest } from "./authorizer.ts";
export { bearerTokens } from "./bearer-tokens.ts";
export { type AdminRole, type Admission, adminRoles, hasRole, rightsOf } from "./callers/admin-role.ts";
export type { AuthorizationRequest } from "./callers/authorization-request.ts";
export { anyOf, type CallerRule } from "./callers/caller-rule.ts";
export { certificateRoles } from "./certificates/certificate-roles.ts";
export { listedCertificates } from "./certificates/listed.ts";
export { namedCertificates } from "./certificates/named.ts";
export { PublishedCertificates } from "./certificates/published.ts";
export {
  type FollowedAuthorizer,
  followedAuthorizer,
  type PresentedCertificates,
} from "./followed-authorizer.ts";
export type { PortalAccess, PortalSsh } from "./portal-access.ts";
