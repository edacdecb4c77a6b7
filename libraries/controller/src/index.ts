export { Cache, type CacheOptions, type InformerRequest } from "./cache/cache.ts";
export type { Change, Informer } from "./cache/informer.ts";
export type { Indexer } from "./cache/object-store.ts";
export { metadataOnly, type Strip, withoutManagedFields } from "./cache/strip-fields.ts";
export {
  type Controller,
  type ControllerDefaults,
  done,
  type ReconcileScope,
} from "./controller/controller.ts";
export { ControllerGroup, type ControllerGroupDeps } from "./controller/controller-group.ts";
export {
  allOf,
  annotationsChanged,
  anyOf,
  generationChanged,
  labelsChanged,
  named,
  type Predicate,
  withLabels,
} from "./controller/predicates.ts";
export {
  type ObjectWatch,
  type ObjectWatchOptions,
  type SourceWatch,
  type Watch,
  watch,
  watchFor,
  watchMapped,
  watchOwned,
  watchSource,
} from "./controller/watch.ts";
export {
  type ElectionSettings,
  LeaderElection,
  type LeaderElectionOptions,
  LeadershipLost,
} from "./election/leader-election.ts";
export type { EventText } from "./events/event-correlator.ts";
export { EventRecorder, type EventRecorderOptions } from "./events/event-recorder.ts";
export {
  type HealthCheck,
  type HealthServer,
  type HealthServerOptions,
  serveHealth,
} from "./health/health-server.ts";
export { Manager, type ManagerOptions, type ManagerParts } from "./manager/manager.ts";
export { type Condition, type ConditionStatus, changedConditions, timestamp } from "./objects/conditions.ts";
export { addFinalizer, hasFinalizer, removeFinalizer } from "./objects/finalizers.ts";
export { keyOf, keyText, parseKey } from "./objects/object-key.ts";
export { controllerOf, controllerReference, isControlledBy } from "./objects/owner-references.ts";
export { Fifo } from "./queue/fifo.ts";
export { TokenBucket, type TokenBucketOptions } from "./queue/token-bucket.ts";
export { type Result, TerminalError, WorkQueue, type WorkQueueOptions } from "./queue/work-queue.ts";
export type { AdmissionRequest, AdmissionResponse } from "./webhooks/admission-review.ts";
export { CertificateFiles, type ServerCertificate } from "./webhooks/certificate-files.ts";
export {
  type AdmissionHandler,
  serveWebhooks,
  type WebhookServer,
  type WebhookServerOptions,
} from "./webhooks/webhook-server.ts";
export { type Write, type WriteHook, withWriteHooks } from "./writes/write-hooks.ts";
