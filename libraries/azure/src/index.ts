export { signInAsAzureCli, signInAsMachine } from "./ambient-sign-in.ts";
export { apiVersionOf } from "./api-versions.ts";
export {
  aadstsCode,
  azureErrorCode,
  azureErrorMessage,
  isNotFound,
  isPreconditionFailed,
  statusOf,
} from "./azure-error.ts";
export { type BlobContainer, connectBlobContainer } from "./blob-container.ts";
export { findForbiddenAction } from "./check-access.ts";
export { signInBySecret } from "./client-credentials.ts";
export { type AzureClients, type AzureConnectionOptions, connectAzure } from "./clients.ts";
export { azureClouds, findAzureCloud } from "./clouds.ts";
export { accessToken, credentialOf, type SignedIn, signIn } from "./credential.ts";
export type {
  AzureEnvironment,
  AzurePrincipal,
  FederatedPrincipal,
  ServicePrincipal,
} from "./environment.ts";
export {
  fetchIdentityCredentials,
  type IdentityCredentials,
} from "./identity-data-plane.ts";
export { hostSuffixPattern, identityUrlFault, publicIdentityHostSuffix } from "./identity-url.ts";
export { listMachineSkus, type MachineSku } from "./machine-skus.ts";
export { assignedPermissions, missingAction, type Permission, permissionsOn } from "./permissions.ts";
export type { RawRequests, RawWrite } from "./raw-requests.ts";
export { registryDataDomain } from "./registry-data-domain.ts";
export type { AzureRequestEvent } from "./request-policy.ts";
export {
  armRetry,
  isAuthorizationPropagation,
  isPassingCode,
  retryAdvice,
} from "./retry-advice.ts";
export { loadSdks } from "./sdks.ts";
export { enableStaticWebsite } from "./static-website.ts";
export { unlessGone } from "./unless-gone.ts";
export {
  connectVaultCertificates,
  type VaultCertificates,
} from "./vault-certificates.ts";
export {
  connectVault,
  type VaultSecrets,
  type VaultSecretVersion,
  type WritableVaultSecrets,
} from "./vault-secrets.ts";
