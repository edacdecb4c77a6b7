import { isTerminal } from "@keelson/arm";
import {
  type Database,
  defineCollection,
  type GrantedCollection,
  type ResealDocument,
} from "@keelson/database";
import type {
  ActionRequestDocument,
  ElevationDocument,
  PortalSignInDocument,
} from "../documents/action-request-document.ts";
import type { AdminActionDocument } from "../documents/admin-action-document.ts";
import type { BillingDocument } from "../documents/billing-document.ts";
import type {
  DefaultVersionDocument,
  OpenShiftVersionDocument,
  RoleSetDocument,
} from "../documents/catalogue-documents.ts";
import type {
  ClusterDocument,
  JournalDocument,
  OperationDocument,
  StepLogDocument,
} from "../documents/cluster-documents.ts";
import type { GatewayDocument } from "../documents/gateway-document.ts";
import type { BucketAllocationDocument, PoolWorkerDocument } from "../documents/pool-documents.ts";
import type {
  PortalSessionDocument,
  PortalSignOutDocument,
  SshRecordingDocument,
} from "../documents/portal-documents.ts";
import type { SubscriptionDocument } from "../documents/subscription-document.ts";
import type { ClusterHealthDocument } from "../health/cluster-health.ts";
import { isManifestQueued, type MaintenanceManifestDocument } from "../maintenance/manifest.ts";
import type { MaintenanceScheduleDocument } from "../maintenance/schedule.ts";

/** Lifetime in seconds of a pool worker's document that has no field `ttlSeconds`. */
const poolWorkerTtlSeconds = 60;

const sevenDays = 604_800;
const ninetyDays = 7_776_000;
const properties = "openShiftCluster.properties";
const clusterSecrets = [
  `${properties}.clusterProfile.pullSecret`,
  `${properties}.clusterProfile.boundServiceAccountSigningKey`,
  `${properties}.servicePrincipalProfile.clientSecret`,
  `${properties}.clusterIdentityCredentials`,
  `${properties}.registryProfiles[].password`,
  `${properties}.sshKey`,
  `${properties}.adminKubeconfig`,
  `${properties}.aroServiceKubeconfig`,
  `${properties}.aroSREKubeconfig`,
  `${properties}.userAdminKubeconfig`,
  `${properties}.kubeadminPassword`,
  `${properties}.installState`,
  `${properties}.installGraphKey`,
];

/** All database collections of the service. */
export const definitions = {
  clusters: {
    ...defineCollection<ClusterDocument>({
      name: "openshift_clusters",
      keys: {
        key: (document) => document.key,
        clusterResourceGroupIdKey: (document) => document.clusterResourceGroupIdKey,
        clientIdKey: (document) => document.clientIdKey,
      },
      unique: ["key", "clusterResourceGroupIdKey", "clientIdKey"],
      secretPaths: clusterSecrets,
    }),
    queued: (document: ClusterDocument) =>
      !isTerminal(document.openShiftCluster.properties.provisioningState),
    fair: true as const,
  },
  operations: defineCollection<OperationDocument>({
    name: "async_operations",
    keys: {
      openShiftClusterKey: (document) => document.openShiftClusterKey,
      newestFirst: ({ asyncOperation }) => -Date.parse(asyncOperation.startTime),
    },
    secretPaths: clusterSecrets,
    ttlSeconds: sevenDays,
  }),
  journal: defineCollection<JournalDocument>({
    name: "journal",
    keys: {
      operationId: (document) => document.operationId,
      openShiftClusterKey: (document) => document.openShiftClusterKey,
    },
    ttlSeconds: sevenDays,
  }),
  stepLogs: defineCollection<StepLogDocument>({
    name: "step_logs",
    keys: { operationId: (document) => document.operationId },
    ttlSeconds: sevenDays,
  }),
  subscriptions: {
    ...defineCollection<SubscriptionDocument>({
      name: "subscriptions",
    }),
    queued: (document: SubscriptionDocument) => document.deleting,
  },
  versions: defineCollection<OpenShiftVersionDocument>({
    name: "openshift_versions",
    keys: { version: (document) => document.openShiftVersion.properties.version },
    unique: ["version"],
    ttlSeconds: ({ ttlSeconds }) => ttlSeconds,
  }),
  defaultVersion: defineCollection<DefaultVersionDocument>({
    name: "openshift_default_version",
  }),
  roleSets: defineCollection<RoleSetDocument>({
    name: "platform_workload_identity_role_sets",
    keys: {
      openShiftVersion: (document) => document.platformWorkloadIdentityRoleSet.properties.openShiftVersion,
    },
    unique: ["openShiftVersion"],
    ttlSeconds: ({ ttlSeconds }) => ttlSeconds,
  }),
  gateways: defineCollection<GatewayDocument>({
    name: "gateways",
    ttlSeconds: ({ ttlSeconds }) => ttlSeconds,
  }),
  portalSessions: defineCollection<PortalSessionDocument>({
    name: "portal_sessions",
    keys: { clusterKey: ({ portal }) => portal.id, person: ({ portal }) => portal.username.toLowerCase() },
    ttlSeconds: ({ ttlSeconds }) => ttlSeconds,
  }),
  portalSignOuts: defineCollection<PortalSignOutDocument>({
    name: "portal_sign_outs",
    ttlSeconds: ({ ttlSeconds }) => ttlSeconds,
  }),
  portalSignIns: defineCollection<PortalSignInDocument>({
    name: "portal_sign_ins",
    secretPaths: ["tokens"],
    ttlSeconds: ({ ttlSeconds }) => ttlSeconds,
  }),
  actionRequests: defineCollection<ActionRequestDocument>({
    name: "portal_action_requests",
    keys: { clusterKey: ({ clusterKey }) => clusterKey, newestFirst: ({ newestFirst }) => newestFirst },
    secretPaths: ["call", "outcome"],
    ttlSeconds: sevenDays,
  }),
  elevations: defineCollection<ElevationDocument>({
    name: "portal_elevations",
    ttlSeconds: ({ ttlSeconds }) => ttlSeconds,
  }),
  sshRecordings: defineCollection<SshRecordingDocument>({
    name: "ssh_recordings",
    keys: { clusterKey: ({ clusterKey }) => clusterKey, newestFirst: ({ newestFirst }) => newestFirst },
    secretPaths: ["recording"],
    ttlSeconds: ninetyDays,
  }),
  adminActions: {
    ...defineCollection<AdminActionDocument>({
      name: "admin_actions",
      keys: {
        openShiftClusterKey: (document) => document.openShiftClusterKey,
        lockKey: (document) => document.lockKey,
        newestFirst: (document) => document.newestFirst,
      },
      unique: ["lockKey"],
      secretPaths: ["record"],
      ttlSeconds: sevenDays,
    }),
    queued: (document: AdminActionDocument) => document.state === "Running",
  },
  manifests: {
    ...defineCollection<MaintenanceManifestDocument>({
      name: "maintenance_manifests",
      keys: {
        state: ({ maintenanceManifest }) => maintenanceManifest.state,
        createdBySchedule: ({ maintenanceManifest }) => maintenanceManifest.createdBySchedule,
        runAfter: ({ maintenanceManifest }) => maintenanceManifest.runAfter,
      },
      due: ({ maintenanceManifest: { runAfter, priority } }) => ({
        at: new Date(runAfter * 1000),
        priority,
      }),
    }),
    queued: isManifestQueued,
  },
  schedules: defineCollection<MaintenanceScheduleDocument>({
    name: "maintenance_schedules",
  }),
  poolWorkers: defineCollection<PoolWorkerDocument>({
    name: "pool_workers",
    ttlSeconds: ({ ttlSeconds = poolWorkerTtlSeconds }) => ttlSeconds,
  }),
  bucketAllocations: defineCollection<BucketAllocationDocument>({
    name: "bucket_allocations",
  }),
  jobs: {
    ...defineCollection<ResealDocument>({ name: "background_jobs" }),
    // Processes acquire these documents by name and lease them. The documents are never queued.
    queued: () => false,
  },
  clusterHealth: defineCollection<ClusterHealthDocument>({
    name: "cluster_health",
    // The document must outlive an outage of the monitor. When its cluster is deleted, the document is deleted too.
    ttlSeconds: sevenDays,
  }),
  billing: defineCollection<BillingDocument>({
    name: "billing",
    keys: { documentId: (document) => document.id },
    unique: ["documentId"],
  }),
} satisfies Readonly<Record<GrantedCollection, unknown>> & Readonly<Record<string, unknown>>;

/** Database of the service with all collections. */
export type ServiceDatabase = Database<typeof definitions>;

/** Collections that gateways may read. They contain no secrets. */
export const gatewayDefinitions = { gateways: definitions.gateways };
export type GatewayDatabase = Database<typeof gatewayDefinitions>;
