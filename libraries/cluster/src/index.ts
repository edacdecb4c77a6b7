export type { ClusterContext } from "./context.ts";
export type {
  AzureConnection,
  CertificateIssuer,
  ClusterEnvironment,
  IssuedCertificate,
  ManagedIdentities,
  OidcIssuer,
  ServiceNetwork,
} from "./environment.ts";
export { maintenanceTaskGraphs } from "./graphs/maintenance.ts";
export { type LiveProfiles, readLiveProfiles, withLiveProfiles } from "./live/live-profiles.ts";
export {
  ClusterOperation,
  type ClusterOperationOptions,
  type ClusterOperationResult,
} from "./operation.ts";
export { isTransient } from "./retry-policy.ts";
export { tokenClaims } from "./steps/credentials/service-principal.ts";
export {
  azureManagedIdentities,
  type ManagedIdentitiesOptions,
} from "./steps/identity/managed-identities.ts";
export { type ServiceNetworkPlace, serviceNetwork } from "./steps/network/service-network.ts";
export { findMissingRights, type Suspect } from "./steps/validation/missing-rights.ts";
export { principalSubject, type Subject } from "./steps/validation/subject.ts";
