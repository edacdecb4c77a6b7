export type { ClusterContext } from "./context/context.ts";
export type {
  CertificateIssuer,
  ClusterEnvironment,
  IssuedCertificate,
  ServiceNetwork,
} from "./context/environment.ts";
export { maintenanceTaskGraphs } from "./graphs/maintenance.ts";
export { type LiveProfiles, readLiveProfiles, withLiveProfiles } from "./live/live-profiles.ts";
export { ClusterOperation } from "./operation.ts";
export { isTransient } from "./retry-policy.ts";
export { tokenClaims } from "./steps/credentials/service-principal.ts";
export { azureManagedIdentities } from "./steps/identity/managed-identities.ts";
export { serviceNetwork } from "./steps/network/service-network.ts";
export { findMissingRights, type Suspect } from "./steps/validation/missing-rights.ts";
export { principalSubject } from "./steps/validation/subject.ts";
