export type { ClusterContext } from "./context/context.ts";
export type {
  CertificateIssuer,
  ClusterEnvironment,
  IssuedCertificate,
  ServiceNetwork,
} from "./context/environment.ts";
export { tokenClaims } from "./credentials/service-principal.ts";
export { maintenanceTaskGraphs } from "./graphs/maintenance.ts";
export { azureManagedIdentities } from "./identity/managed-identities.ts";
export { type LiveProfiles, readLiveProfiles, withLiveProfiles } from "./live/live-profiles.ts";
export { serviceNetwork } from "./network/service-network.ts";
export { ClusterOperation } from "./operation.ts";
export { isTransient } from "./retry-policy.ts";
export { findMissingRights, type Suspect } from "./validation/missing-rights.ts";
export { principalSubject } from "./validation/subject.ts";
