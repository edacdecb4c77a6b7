import type { AsyncOperation, CloudErrorBody, ProvisioningState, ResourceKey } from "@keelson/arm";
import { isTerminal } from "@keelson/arm";
import type { JsonObject, JsonValue, Secret } from "@keelson/base";
import { type Database, defineCollection, type ResealDocument } from "@keelson/database";
import type { ClusterHealthDocument } from "./health/cluster-health.ts";
import { isManifestQueued, type MaintenanceManifestDocument } from "./maintenance/manifest.ts";
import type { MaintenanceScheduleDocument } from "./maintenance/schedule.ts";
import type { OpenShiftCluster } from "./open-shift-cluster.ts";
import type { Retirable } from "./publish-documents.ts";

/** The request that an operation serves, so that its logs and calls carry the same IDs to the end. */
export interface CorrelationData {
  readonly correlationId?: string;
  readonly clientRequestId?: string;
  /** The administrator who called. */
  readonly clientPrincipalName?: string;
  readonly requestId: string;
  readonly operationId: string;
  readonly requestTime: string;
  /** W3C Trace Context of the request, where it is traced. */
  readonly traceParent?: string;
}

/** Partition: subscription ID, lower case; likewise operations, journal and subscriptions. */
export interface ClusterDocument {
  readonly id: string;
  readonly partitionKey: string;
  readonly key: ResourceKey;
  readonly clusterResourceGroupIdKey: string;
  readonly clientIdKey: string;
  /** 0 to 255; shares clusters out among monitors. */
  readonly bucket: number;
  /** The operation under way; absent once its result is committed. */
  readonly asyncOperationId?: string;
  readonly correlationData?: CorrelationData;
  readonly openShiftCluster: OpenShiftCluster;
}

export interface OperationDocument {
  /** The operation ID, a UUID. */
  readonly id: string;
  readonly partitionKey: string;
  readonly openShiftClusterKey: ResourceKey;
  /** The state that it works off, which `asyncOperation` shows until it ends; absent from what older releases wrote. */
  readonly kind?: ProvisioningState;
  readonly correlationId?: string;
  readonly asyncOperation: AsyncOperation;
  /** The cluster when the operation ended; absent while it runs and after a delete. */
  readonly openShiftCluster?: OpenShiftCluster;
}

/** One step of one operation. A finished step is never run again. */
export interface JournalDocument {
  /** `{operationId}.{step}` */
  readonly id: string;
  readonly partitionKey: string;
  readonly operationId: string;
  readonly openShiftClusterKey: ResourceKey;
  readonly step: string;
  readonly state: "running" | "finished" | "failed";
  /** How often the step was started. */
  readonly attempt: number;
  /** Worker and lease generation of the last start. */
  readonly worker: string;
  readonly generation: number;
  /** Which acquisition of the cluster that was, since it entered the queue. */
  readonly dequeues?: number;
  readonly startedAt: string;
  readonly finishedAt?: string;
  readonly error?: string;
}

export const subscriptionStates = ["Registered", "Unregistered", "Warned", "Suspended", "Deleted"] as const;
export type SubscriptionState = (typeof subscriptionStates)[number];

/** Stored as ARM sent it, unknown members included. */
export interface Subscription {
  readonly state: SubscriptionState;
  readonly properties?: {
    readonly tenantId?: string;
    readonly accountOwner?: { readonly email?: string };
    readonly registeredFeatures?: readonly { readonly name: string; readonly state: string }[];
  };
}

export interface SubscriptionDocument {
  readonly id: string;
  readonly partitionKey: string;
  /** True while the clusters of a deleted subscription are being removed. */
  readonly deleting: boolean;
  readonly subscription: Subscription;
}

/** A version that can be installed. Partition: `versions`. */
export interface OpenShiftVersionDocument extends Retirable {
  readonly id: string;
  readonly partitionKey: string;
  readonly openShiftVersion: {
    readonly properties: {
      readonly version: string;
      readonly openShiftPullspec: string;
      readonly installerPullspec: string;
      readonly enabled: boolean;
      readonly default: boolean;
    };
  };
}

/** Which version is the default, as the last change of that had it. Partition: `versions`. */
export interface DefaultVersionDocument {
  readonly id: string;
  readonly partitionKey: string;
  readonly version: string;
}

/** One of the roles that a managed identity needs, and who in the cluster uses the identity. */
export interface PlatformWorkloadIdentityRole {
  readonly operatorName: string;
  readonly roleDefinitionName: string;
  /** Resource ID of the role definition. */
  readonly roleDefinitionId: string;
  /** `system:serviceaccount:{namespace}:{name}`; each needs a federated credential of its own. */
  readonly serviceAccounts: readonly string[];
  /** The secret in the cluster that holds the identity's credentials. */
  readonly secretLocation: { readonly namespace: string; readonly name: string };
}

/** What an OpenShift minor version needs. Partition: `rolesets`. */
export interface RoleSetDocument extends Retirable {
  readonly id: string;
  readonly partitionKey: string;
  readonly platformWorkloadIdentityRoleSet: {
    readonly properties: {
      /** For example `4.16`. */
      readonly openShiftVersion: string;
      readonly platformWorkloadIdentityRoles: readonly PlatformWorkloadIdentityRole[];
    };
  };
}

const adminActionStates = ["Running", "Succeeded", "Failed", "Interrupted"] as const;
export type AdminActionState = (typeof adminActionStates)[number];

/** What an administrator does, or did, to one cluster. Partition: subscription ID, lower case. */
export interface AdminActionDocument {
  /** A UUID. */
  readonly id: string;
  readonly partitionKey: string;
  readonly openShiftClusterKey: ResourceKey;
  /** ID of the cluster's document. Older releases stored none: see `isBoundTo`. */
  readonly clusterDocumentId?: string;
  /**
   * The cluster's key until the action has ended. An action that runs holds the lease on its cluster; this finds the action of
   * one that is taken, and keeps its place while no process runs it.
   */
  readonly lockKey?: ResourceKey;
  /** Rises from newer to older actions: minus the start, in milliseconds. */
  readonly newestFirst: number;
  /** The last segments of its path, for example `redeployvm`. */
  readonly action: string;
  readonly caller?: string;
  /** Why, as the caller said. */
  readonly reason?: string;
  readonly correlationId?: string;
  readonly requestId: string;
  /** Of the request, without secrets. */
  readonly parameters: JsonObject;
  /** True where another process goes on with it when this one dies. */
  readonly resumable: boolean;
  readonly state: AdminActionState;
  readonly startedAt: string;
  readonly endedAt?: string;
  /** An `AdminActionRecord` as JSON: commands write what only their callers may read. Absent from what older releases wrote. */
  readonly record?: Secret;
}

/** What an administrator's action wrote, and what it came to. */
export interface AdminActionRecord {
  /** The newest lines only. */
  readonly progress: readonly string[];
  /** What the finished steps came to, by their names. */
  readonly steps: JsonObject;
  readonly error?: CloudErrorBody;
  readonly result?: JsonValue;
}

/**
 * The time for which a cluster is billed. It outlives the cluster; the billing service sets `lastBillingTime`.
 * Times are whole seconds since 1970. Partition: subscription ID, lower case.
 */
export interface BillingDocument {
  /** ID of the cluster's document. */
  readonly id: string;
  readonly partitionKey: string;
  readonly key: ResourceKey;
  readonly clusterResourceGroupIDKey: string;
  readonly infraId?: string;
  readonly billing: {
    readonly creationTime: number;
    readonly deletionTime?: number;
    readonly lastBillingTime?: number;
    readonly location: string;
    readonly tenantID?: string;
  };
}

/** A process that shares work with others of its kind. Partition: the kind, for example `mimo-scheduler`. */
export interface PoolWorkerDocument {
  readonly id: string;
  readonly partitionKey: string;
  /** Of the newest allocation of buckets that it has followed. */
  readonly generation?: number;
  /** After which it has lost its buckets, unless it has said meanwhile that it lives. */
  readonly ttlSeconds?: number;
  /** IDs of the maintenance tasks that an actuator executes. Other processes have none. */
  readonly tasks?: readonly string[];
}

/** Who has which bucket. Its ID is the kind of the workers, as is its partition. */
export interface BucketAllocationDocument {
  readonly id: string;
  readonly partitionKey: string;
  /** The worker of each bucket, in the order of their numbers. */
  readonly buckets: readonly string[];
  /** Rises whenever buckets are shared out. */
  readonly generation?: number;
  /** Buckets whose earlier owner has not read yet that they moved. */
  readonly handovers?: readonly {
    readonly bucket: number;
    readonly from: string;
    readonly generation: number;
  }[];
}

/** Of processes that do not say otherwise. */
const poolWorkerTtlSeconds = 60;

/**
 * A session of the portal. Its ID, and its partition, is the SHA-256 of the bearer's token in hexadecimal, so that a
 * reader of the database cannot use it.
 */
export interface PortalSessionDocument {
  readonly id: string;
  readonly partitionKey: string;
  readonly ttlSeconds: number;
  /** RFC 3339; absent from what older releases wrote. */
  readonly createdAt?: string;
  readonly portal: {
    readonly username: string;
    /** The cluster's resource ID, lower case. */
    readonly id: string;
    /** `authenticated` once the token has been used: it is good for one connection. */
    readonly ssh?: { readonly master: number; readonly authenticated?: boolean };
    readonly kubeconfig?: { readonly elevated: boolean };
  };
  /** ID of the cluster's document. Older releases stored none: see `isBoundTo`. */
  readonly clusterDocumentId?: string;
  /** ID of the `PortalSignOutDocument` that ends the sign-in. Sessions of the admin API have no sign-in. */
  readonly signIn?: string;
  /** The person's generation when the sign-in began, or when the admin API opened the session. Older releases stored none. */
  readonly generation?: number;
}

/**
 * End of one sign-in to the portal, or of all sign-ins of a person. A person's document stays, because its generation decides
 * which sign-ins and sessions are older. A third kind records the generation at the first use of a cookie that `keelson
 * portalauth` made without a database.
 */
export interface PortalSignOutDocument {
  /** A hash of the sign-in or the person. */
  readonly id: string;
  readonly partitionKey: string;
  readonly ttlSeconds?: number;
  /** RFC 3339. Orders sign-ins of older releases, whose cookies have no generation. */
  readonly before: string;
  /** Rises with each "end all". A sign-in and its sessions are valid while the person's generation is theirs. */
  readonly generation?: number;
}

/** What one channel of an SSH connection through the portal showed. Partition: the cluster's subscription, lower case. */
export interface SshRecordingDocument {
  /** A UUID. */
  readonly id: string;
  readonly partitionKey: string;
  /** The cluster's resource ID, lower case. */
  readonly clusterKey: string;
  /** ID of the cluster's document. Older releases stored none: see `isBoundTo`. */
  readonly clusterDocumentId?: string;
  /** Rises from newer to older recordings: minus the start, in milliseconds. */
  readonly newestFirst: number;
  /** The portal's session that it belongs to. */
  readonly session: string;
  readonly username: string;
  readonly master: number;
  readonly kind: "shell" | "exec" | "subsystem";
  readonly startedAt: string;
  /** Absent while the channel is open, and where the portal ended before it. */
  readonly endedAt?: string;
  /** More was shown than is kept. */
  readonly truncated: boolean;
  /** An asciicast, version 2. Its header has the command. */
  readonly recording: Secret;
}

/**
 * Which cluster is behind a private link at the service's gateway. Its ID is the link's identifier. Partition: the
 * cluster's subscription, lower case.
 */
export interface GatewayDocument {
  readonly id: string;
  readonly partitionKey: string;
  /** Present once the gateway is to forget it. */
  readonly ttlSeconds?: number;
  readonly gateway: {
    /** The cluster's resource ID. */
    readonly id: string;
    readonly deleting?: boolean;
    /** What it may reach besides: its own storage accounts. */
    readonly storageSuffix?: string;
    readonly imageRegistryStorageAccountName?: string;
  };
}

export const versionsPartition = "versions";
export const roleSetsPartition = "rolesets";

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

/** Every collection of the service. */
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
    unique: [],
    secretPaths: clusterSecrets,
    ttlSeconds: sevenDays,
  }),
  journal: defineCollection<JournalDocument>({
    name: "journal",
    keys: {
      operationId: (document) => document.operationId,
      openShiftClusterKey: (document) => document.openShiftClusterKey,
    },
    unique: [],
    secretPaths: [],
    ttlSeconds: sevenDays,
  }),
  subscriptions: {
    ...defineCollection<SubscriptionDocument>({
      name: "subscriptions",
      keys: {},
      unique: [],
      secretPaths: [],
    }),
    queued: (document: SubscriptionDocument) => document.deleting,
  },
  versions: defineCollection<OpenShiftVersionDocument>({
    name: "openshift_versions",
    keys: { version: (document) => document.openShiftVersion.properties.version },
    unique: ["version"],
    secretPaths: [],
    ttlSeconds: ({ ttlSeconds }) => ttlSeconds,
  }),
  defaultVersion: defineCollection<DefaultVersionDocument>({
    name: "openshift_default_version",
    keys: {},
    unique: [],
    secretPaths: [],
  }),
  roleSets: defineCollection<RoleSetDocument>({
    name: "platform_workload_identity_role_sets",
    keys: {
      openShiftVersion: (document) => document.platformWorkloadIdentityRoleSet.properties.openShiftVersion,
    },
    unique: ["openShiftVersion"],
    secretPaths: [],
    ttlSeconds: ({ ttlSeconds }) => ttlSeconds,
  }),
  gateways: defineCollection<GatewayDocument>({
    name: "gateways",
    keys: {},
    unique: [],
    secretPaths: [],
    ttlSeconds: ({ ttlSeconds }) => ttlSeconds,
  }),
  portalSessions: defineCollection<PortalSessionDocument>({
    name: "portal_sessions",
    keys: { clusterKey: ({ portal }) => portal.id, person: ({ portal }) => portal.username.toLowerCase() },
    unique: [],
    secretPaths: [],
    ttlSeconds: ({ ttlSeconds }) => ttlSeconds,
  }),
  portalSignOuts: defineCollection<PortalSignOutDocument>({
    name: "portal_sign_outs",
    keys: {},
    unique: [],
    secretPaths: [],
    ttlSeconds: ({ ttlSeconds }) => ttlSeconds,
  }),
  sshRecordings: defineCollection<SshRecordingDocument>({
    name: "ssh_recordings",
    keys: { clusterKey: ({ clusterKey }) => clusterKey, newestFirst: ({ newestFirst }) => newestFirst },
    unique: [],
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
      unique: [],
      secretPaths: [],
      due: ({ maintenanceManifest: { runAfter, priority } }) => ({
        at: new Date(runAfter * 1000),
        priority,
      }),
    }),
    queued: isManifestQueued,
  },
  schedules: defineCollection<MaintenanceScheduleDocument>({
    name: "maintenance_schedules",
    keys: {},
    unique: [],
    secretPaths: [],
  }),
  poolWorkers: defineCollection<PoolWorkerDocument>({
    name: "pool_workers",
    keys: {},
    unique: [],
    secretPaths: [],
    ttlSeconds: ({ ttlSeconds = poolWorkerTtlSeconds }) => ttlSeconds,
  }),
  bucketAllocations: defineCollection<BucketAllocationDocument>({
    name: "bucket_allocations",
    keys: {},
    unique: [],
    secretPaths: [],
  }),
  jobs: {
    ...defineCollection<ResealDocument>({ name: "background_jobs", keys: {}, unique: [], secretPaths: [] }),
    // They are leased by name, not from a queue.
    queued: () => false,
  },
  clusterHealth: defineCollection<ClusterHealthDocument>({
    name: "cluster_health",
    keys: {},
    unique: [],
    secretPaths: [],
    // It outlives failures of the monitor. The deletion of a cluster removes it.
    ttlSeconds: sevenDays,
  }),
  billing: defineCollection<BillingDocument>({
    name: "billing",
    keys: { documentId: (document) => document.id },
    unique: ["documentId"],
    secretPaths: [],
  }),
};

/** The database of the service, with all its collections. */
export type ServiceDatabase = Database<typeof definitions>;
