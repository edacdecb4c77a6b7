export { isTransient } from "./advise.ts";
export { bucketCount } from "./buckets/balance.ts";
export { BucketPool, type BucketPoolOptions } from "./buckets/bucket-pool.ts";
export type { ClusterContext } from "./context.ts";
export { engineErrors, isInterruption } from "./engine/errors.ts";
export type { StepScope } from "./engine/execute.ts";
export type { Graph } from "./engine/graph.ts";
export { type GuardedWrite, writeGuarded } from "./engine/guarded-write.ts";
export { HeldLease, type HeldLeaseOptions } from "./engine/held-lease.ts";
export type { LeaseGuard } from "./engine/lease-guard.ts";
export {
  processOwner,
  QueueWorkers,
  type QueueWorkersOptions,
  type WorkQueue,
  type WorkQueueOptions,
  type WorkSignals,
  workQueue,
} from "./engine/queue-workers.ts";
export { leaseAtRest, type RestLease, type RestLeaseOptions } from "./engine/rest-lease.ts";
export type { StepEvent } from "./engine/run.ts";
export { Serial } from "./engine/serial.ts";
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
export { tokenClaims } from "./steps/credentials/service-principal.ts";
export {
  azureManagedIdentities,
  type ManagedIdentitiesOptions,
} from "./steps/identity/managed-identities.ts";
export { type ServiceNetworkPlace, serviceNetwork } from "./steps/network/service-network.ts";
export { findMissingRights, type Suspect } from "./steps/validation/missing-rights.ts";
export { principalSubject, type Subject } from "./steps/validation/subject.ts";
