export { Cache } from "./cache/cache.ts";
export type { Change, Informer } from "./cache/informer.ts";
export type { Indexer } from "./cache/object-store.ts";
export { metadataOnly, type Strip, withoutManagedFields } from "./cache/strip-fields.ts";
export {
  type Controller,
  done,
  type ReconcileScope,
} from "./controller/controller.ts";
export { ControllerGroup } from "./controller/controller-group.ts";
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
  LeadershipLost,
} from "./election/leader-election.ts";
export type { EventText } from "./events/event-correlator.ts";
export { EventRecorder } from "./events/event-recorder.ts";
export { serveHealth } from "./health/health-server.ts";
export { Manager, type ManagerParts } from "./manager/manager.ts";
export { type Condition, type ConditionStatus, changedConditions, timestamp } from "./objects/conditions.ts";
export { addFinalizer, hasFinalizer, removeFinalizer } from "./objects/finalizers.ts";
export { keyOf, keyText, parseKey } from "./objects/object-key.ts";
export { controllerOf, controllerReference, isControlledBy } from "./objects/owner-references.ts";
export { TokenBucket } from "./queue/token-bucket.ts";
export { type Result, TerminalError, WorkQueue } from "./queue/work-queue.ts";
export { CertificateFiles, type ServerCertificate } from "./webhooks/certificate-files.ts";
export { withWriteHooks } from "./writes/write-hooks.ts";
