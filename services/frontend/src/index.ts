export {
  type AuthorizationRequest,
  type Authorizer,
  acceptAll,
  authorizeBy,
} from "./authorization/authorizer.ts";
export { type BearerTokensOptions, bearerTokens } from "./authorization/bearer-tokens.ts";
export { anyOf, type CallerRule } from "./authorization/caller-rule.ts";
export { listedCertificates } from "./authorization/listed-certificates.ts";
export { type NamedCertificatesOptions, namedCertificates } from "./authorization/named-certificates.ts";
export {
  PublishedCertificates,
  type PublishedCertificatesOptions,
} from "./authorization/published-certificates.ts";
export type { AzureChecks, ProposedCreation } from "./azure-checks/azure-checks.ts";
export { type AzureChecksOptions, azureChecks } from "./azure-checks/run-checks.ts";
export type { PortalAccess, PortalSsh } from "./portal-access.ts";
export { type Frontend, type FrontendOptions, startFrontend } from "./start-frontend.ts";
