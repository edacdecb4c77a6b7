export type {
  CertificateRotation,
  CertificateSubject,
  RotatedBundle,
  RotatedSigner,
  RotatedTarget,
  RotationPolicy,
} from "./certificates/certificate-rotation.ts";
export { type BundleSource, combinedBundle } from "./certificates/combined-bundle.ts";
export {
  type CertificateRotationOptions,
  certificateRotation,
  type RotationParts,
  type RotationRow,
} from "./certificates/controller.ts";
export { type ConfigChange, configChanges, describeChanges } from "./config/config-diff.ts";
export type {
  ConfigObserver,
  Observation,
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
export { type ConfigObservationOptions, configObservation } from "./config/controller.ts";
export {
  type LatencyArgument,
  type LatencyProfileOptions,
  latencyProfile,
} from "./config/latency-profile.ts";
export { type Observed, observeAll, requireDisjoint } from "./config/observe.ts";
export {
  type MergeMember,
  mergeConfigs,
  type SparseConfig,
  type SpecialMerge,
  unionOfTexts,
} from "./config/sparse-merge.ts";
export {
  type ConnectivityOptions,
  type ConnectivityParts,
  connectivity,
  connectivityChecks,
} from "./connectivity/controller.ts";
export { escapedXml, type SvgDocument, svgDocument } from "./drawing/svg-document.ts";
export { encryptionControllers } from "./encryption/controllers.ts";
export { type EncryptionMode, isEncryptionMode } from "./encryption/encryption-key.ts";
export type { EncryptionOptions } from "./encryption/encryption-situation.ts";
export { storageVersionMigrations } from "./encryption/migration.ts";
export type { KeyPolicy } from "./encryption/new-key.ts";
export { type GuardOptions, guard } from "./guard/controller.ts";
export type { ReadinessEndpoint } from "./guard/guard-pod.ts";
export { type InstallerOptions, installer } from "./installer/controller.ts";
export { verbosity } from "./installer/installer-pod.ts";
export { type InstallPlan, type InstallView, installerName, planInstall } from "./installer/plan-install.ts";
export {
  type PluginPlace,
  pluginKeys,
  withKmsPlugins,
} from "./kms/plugin-containers.ts";
export { type ManifestValues, type OperatorManifest, readManifests } from "./manifests/read-manifests.ts";
export { type CertSyncerOptions, type CertSyncerParts, certSyncer } from "./node/cert-syncer.ts";
export {
  type InsecureReadyz,
  type InsecureReadyzOptions,
  serveInsecureReadyz,
} from "./node/insecure-readyz.ts";
export { type InstallDeps, type InstallOptions, install } from "./node/install.ts";
export { fallbackAnnotations } from "./node/last-known-good.ts";
export { NodeDisk } from "./node/node-disk.ts";
export type { NodeFiles, PlaceOf } from "./node/node-files.ts";
export { type PruneOptions, pruneRevisions } from "./node/prune-revisions.ts";
export type { SourceNames } from "./node/read-sources.ts";
export { reportNodeRevision } from "./node/report-node-revision.ts";
export {
  monitorStartup,
  type StartupMonitorDeps,
  type StartupMonitorOptions,
  type StartupOutcome,
  type StartupState,
} from "./node/startup-monitor.ts";
export { nodes } from "./nodes/controller.ts";
export { fieldVariable } from "./objects/field-variable.ts";
export { ensureData } from "./objects/managed-data.ts";
export {
  type EnsureResult,
  ManagedObjects,
  type ManagedObjectsOptions,
  type WantedMeta,
  type WantedObject,
} from "./objects/managed-objects.ts";
export { dataOf } from "./objects/object-data.ts";
export { operatorMetric } from "./objects/operator-metric.ts";
export { type Repair, type RepairLog, RepairRecorder } from "./objects/repair-recorder.ts";
export { unsupportedConfigOverrides } from "./operator/config-overrides.ts";
export { type OperatorLog, type OperatorLogLevel, operatorLogLevel } from "./operator/log-level.ts";
export { isManaged, managementState } from "./operator/management-state.ts";
export {
  managedObjects,
  type OperatorController,
  type OperatorParts,
  type OperatorRequest,
  type OperatorResult,
  operatorController,
} from "./operator/operator-controller.ts";
export { OperatorEvents } from "./operator/operator-events.ts";
export {
  OperatorResource,
  type OperatorResourceOptions,
  operatorChanged,
  operatorKey,
} from "./operator/operator-resource.ts";
export { type StaticPodStateOptions, staticPodState } from "./pod-state/controller.ts";
export {
  type MissingStaticPodOptions,
  missingStaticPods,
  replacementMs,
} from "./pod-state/missing-static-pods.ts";
export { pendingInstallers } from "./pod-state/pending-installers.ts";
export { pruner } from "./prune/controller.ts";
export { type RevisionOptions, revisions } from "./revisions/controller.ts";
export { latestReady, planRevision, type RevisionPlan } from "./revisions/plan-revision.ts";
export { rolloutTimelineCondition } from "./rollout/controller.ts";
export { rolloutSvg } from "./rollout/rollout-svg.ts";
export { rolloutRows } from "./rollout/rollout-text.ts";
export { type RevisionRollout, type RolloutObjects, rolloutTimeline } from "./rollout/rollout-timeline.ts";
export { cipherSuiteNames } from "./serving/cipher-suites.ts";
export { parseServingInfo, type ServingInfo } from "./serving/serving-info.ts";
export { startupMonitors } from "./startup/controller.ts";
export { type NodeStatus, nodeStatuses } from "./static-pod/node-status.ts";
export { podFields } from "./static-pod/pod-fields.ts";
export {
  masterLabel,
  masters,
  mirrorPodKey,
  podsOf,
  type RevisionedSource,
  revisionName,
  revisionOf,
  type SourceLists,
  type StaticPod,
  startupMonitorMember,
  watchMasters,
  watchPods,
  watchSources,
} from "./static-pod/static-pod.ts";
export { backingResources } from "./static-resources/backing-resources.ts";
export {
  type StaticResource,
  type StaticResourcesOptions,
  staticResources,
} from "./static-resources/controller.ts";
export {
  type ClusterOperatorReport,
  ClusterOperatorStatus,
  type ClusterOperatorStatusOptions,
  type ClusterOperatorVersion,
  type RelatedObject,
} from "./status/cluster-operator-status.ts";
export { type OperatorStatusOptions, operatorStatus, staticPodInertia } from "./status/controller.ts";
export { OperatorVersions } from "./status/operator-versions.ts";
export { staleConditions } from "./status/stale-conditions.ts";
export { patchStatus, type StatusChange, statusSteps } from "./status/status-patch.ts";
export {
  type Inertia,
  type ReportedCondition,
  type Union,
  unionCondition,
} from "./status/union-condition.ts";
export { type ResourceSyncOptions, resourceSync } from "./sync/controller.ts";
export { type SyncRule, SyncRuleSet } from "./sync/sync-rules.ts";
