import type { AsyncOperation, ResourceKey } from "@keelson/arm";
import { isTerminal } from "@keelson/arm";
import { type Database, defineCollection } from "@keelson/database";
import type { OpenShiftCluster } from "./open-shift-cluster.ts";

/** The request that an operation serves, so that its logs and calls carry the same IDs to the end. */
export interface CorrelationData {
  readonly correlationId?: string;
  readonly clientRequestId?: string;
  /** The administrator who called. */
  readonly clientPrincipalName?: string;
  readonly requestId: string;
  readonly operationId: string;
  readonly requestTime: string;
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
export interface OpenShiftVersionDocument {
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
export interface RoleSetDocument {
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

export const versionsPartition = "versions";
export const roleSetsPartition = "rolesets";

const sevenDays = 604_800;
const properties = "openShiftCluster.properties";
const clusterSecrets = [
  `${properties}.clusterProfile.pullSecret`,
  `${properties}.clusterProfile.boundServiceAccountSigningKey`,
  `${properties}.servicePrincipalProfile.clientSecret`,
  `${properties}.sshKey`,
  `${properties}.adminKubeconfig`,
  `${properties}.aroServiceKubeconfig`,
  `${properties}.aroSREKubeconfig`,
  `${properties}.userAdminKubeconfig`,
  `${properties}.kubeadminPassword`,
  `${properties}.installState`,
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
  },
  operations: defineCollection<OperationDocument>({
    name: "async_operations",
    keys: { openShiftClusterKey: (document) => document.openShiftClusterKey },
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
  }),
  roleSets: defineCollection<RoleSetDocument>({
    name: "platform_workload_identity_role_sets",
    keys: {
      openShiftVersion: (document) => document.platformWorkloadIdentityRoleSet.properties.openShiftVersion,
    },
    unique: ["openShiftVersion"],
    secretPaths: [],
  }),
};

/** The database of the service, with all its collections. */
export type ServiceDatabase = Database<typeof definitions>;
