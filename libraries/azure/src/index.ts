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
export { type BlobContainer, type BlobContainerOptions, connectBlobContainer } from "./blob-container.ts";
export { type CheckAccessOptions, findForbiddenAction } from "./check-access.ts";
export { signInBySecret } from "./client-credentials.ts";
export { type AzureClients, type AzureConnectionOptions, type CallOptions, connectAzure } from "./clients.ts";
export { type AzureCloud, azureClouds, findAzureCloud } from "./clouds.ts";
export { accessToken, credentialOf, type SignedIn, signIn } from "./credential.ts";
export type {
  AzureEnvironment,
  AzurePrincipal,
  CertificatePrincipal,
  FederatedPrincipal,
  ServicePrincipal,
} from "./environment.ts";
export {
  fetchIdentityCredentials,
  type IdentityCredentials,
  type IdentityDataPlaneOptions,
} from "./identity-data-plane.ts";
export { hostSuffixPattern, identityUrlFault, publicIdentityHostSuffix } from "./identity-url.ts";
export { listMachineSkus, type MachineSku } from "./machine-skus.ts";
export { assignedPermissions, missingAction, type Permission, permissionsOn } from "./permissions.ts";
export type { RawRequests, RawWrite } from "./raw-requests.ts";
export { registryDataDomain } from "./registry-data-domain.ts";
export type { AzureRequestEvent } from "./request-policy.ts";
export {
  type ArmRetryAdvice,
  armBackoff,
  armRetry,
  isAuthorizationPropagation,
  isPassingCode,
  retryAdvice,
} from "./retry-advice.ts";
export { enableStaticWebsite } from "./static-website.ts";
export {
  connectVaultCertificates,
  type VaultCertificatePolicy,
  type VaultCertificates,
} from "./vault-certificates.ts";
export {
  connectVault,
  type VaultOptions,
  type VaultSecrets,
  type VaultSecretVersion,
  type WritableVaultSecrets,
} from "./vault-secrets.ts";
