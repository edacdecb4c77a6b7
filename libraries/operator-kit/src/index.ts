export type { CertificateSubject } from "./certificates/certificate-rotation.ts";
export { combinedBundle } from "./certificates/combined-bundle.ts";
export {
  type CertificateRotationOptions,
  certificateRotation,
  type RotationParts,
  type RotationRow,
} from "./certificates/controller.ts";
export { configChanges } from "./config/config-diff.ts";
export type {
  ConfigObserver,
  ObservationScope,
  ObservedInput,
  ObservedObjects,
} from "./config/config-observer.ts";
export {
  type ConfigPath,
  configAt,
  configWith,
  pathsOverlap,
  pathText,
  pruneConfig,
} from "./config/config-paths.ts";
export { configObservation } from "./config/controller.ts";
export {
  type LatencyArgument,
  latencyProfile,
} from "./config/latency-profile.ts";
export { observeAll } from "./config/observe.ts";
export {
  mergeConfigs,
  type SparseConfig,
  unionOfTexts,
} from "./config/sparse-merge.ts";
export {
  connectivity,
  connectivityChecks,
} from "./connectivity/controller.ts";
export { escapedXml, svgDocument } from "./drawing/svg-document.ts";
export { encryptionControllers } from "./encryption/controllers/controllers.ts";
export { componentLabel, isEncryptionMode } from "./encryption/encryption-key.ts";
export { storageVersionMigrations } from "./encryption/migration.ts";
export { needsKey } from "./encryption/needs-key.ts";
export type { KeyPolicy } from "./encryption/new-key.ts";
export { guard } from "./guard/controller.ts";
export { installer } from "./installer/controller.ts";
export { verbosity } from "./installer/installer-pod.ts";
export {
  pluginKeys,
  withKmsPlugins,
} from "./kms/plugin-containers.ts";
export { type OperatorManifest, readManifests } from "./manifests/read-manifests.ts";
export { certSyncer } from "./node/cert-syncer.ts";
export { serveInsecureReadyz } from "./node/insecure-readyz.ts";
export { install } from "./node/install.ts";
export { NodeDisk } from "./node/node-disk.ts";
export type { NodeFiles, PlaceOf } from "./node/node-files.ts";
export { type PruneOptions, pruneRevisions } from "./node/prune-revisions.ts";
export type { SourceNames } from "./node/read-sources.ts";
export { reportNodeRevision } from "./node/report-node-revision.ts";
export {
  monitorStartup,
  type StartupState,
} from "./node/startup-monitor.ts";
export { nodes } from "./nodes/controller.ts";
export { fieldVariable } from "./objects/field-variable.ts";
export { ensureData } from "./objects/managed-data.ts";
export {
  ManagedObjects,
  type WantedMeta,
  type WantedObject,
} from "./objects/managed-objects.ts";
export { dataOf } from "./objects/object-data.ts";
export { operatorMetric } from "./objects/operator-metric.ts";
export { type Repair, type RepairLog, RepairRecorder } from "./objects/repair-recorder.ts";
export { patchStatus } from "./objects/status-patch.ts";
export { unsupportedConfigOverrides } from "./operator/config-overrides.ts";
export { type OperatorLog, operatorLogLevel } from "./operator/log-level.ts";
export {
  type OperatorController,
  type OperatorParts,
  operatorController,
} from "./operator/operator-controller.ts";
export { OperatorEvents } from "./operator/operator-events.ts";
export {
  OperatorResource,
  operatorKey,
} from "./operator/operator-resource.ts";
export { staticPodState } from "./pod-state/controller.ts";
export {
  missingStaticPods,
  replacementMs,
} from "./pod-state/missing-static-pods.ts";
export { pendingInstallers } from "./pod-state/pending-installers.ts";
export { pruner } from "./prune/controller.ts";
export { revisions } from "./revisions/controller.ts";
export { rolloutTimelineCondition } from "./rollout/controller.ts";
export { rolloutSvg } from "./rollout/rollout-svg.ts";
export { rolloutRows } from "./rollout/rollout-text.ts";
export { type RevisionRollout, rolloutTimeline } from "./rollout/rollout-timeline.ts";
export { cipherSuiteNames } from "./serving/cipher-suites.ts";
export { type DelegatedAccess, delegatedAccess, type Identity } from "./serving/delegated-access.ts";
export { parseServingInfo, type ServingInfo } from "./serving/serving-info.ts";
export { startupMonitors } from "./startup/controller.ts";
export { podFields } from "./static-pod/pod-fields.ts";
export {
  masterLabel,
  masters,
  revisionName,
  type SourceLists,
  type StaticPod,
  startupMonitorMember,
  watchMasters,
  watchSources,
} from "./static-pod/static-pod.ts";
export { backingResources } from "./static-resources/backing-resources.ts";
export {
  type StaticResource,
  staticResources,
} from "./static-resources/controller.ts";
export {
  type ClusterOperatorReport,
  ClusterOperatorStatus,
  type RelatedObject,
} from "./status/cluster-operator-status.ts";
export { operatorStatus, staticPodInertia } from "./status/controller.ts";
export { OperatorVersions } from "./status/operator-versions.ts";
export { staleConditions } from "./status/stale-conditions.ts";
export { resourceSync } from "./sync/controller.ts";
export { type SyncRule, SyncRuleSet } from "./sync/sync-rules.ts";
