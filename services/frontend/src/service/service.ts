import type { SkipTokenSealer } from "@keelson/arm";
import type { PortalAccess } from "@keelson/auth";
import type { Clock } from "@keelson/base";
import type { KubeClient } from "@keelson/kube";
import type { ServiceDatabase } from "@keelson/model";
import type { ActionRunner } from "../admin-actions/running/action-runner.ts";
import type { AzureChecks } from "../azure-checks/azure-checks.ts";
import type { Catalogue } from "./catalogue.ts";
import type { ClusterStatusCache } from "./cluster-status-cache.ts";
import type { ManagedIdentitySettings } from "./managed-identities.ts";

/** Dependencies of the routes. */
export interface Service {
  readonly database: ServiceDatabase;
  readonly catalogue: Catalogue;
  readonly actions: ActionRunner;
  readonly azureChecks: AzureChecks;
  readonly clusterStatus: ClusterStatusCache;
  readonly sealer: SkipTokenSealer;
  readonly clock: Clock;
  /** Region, for example `eastus`. */
  readonly location: string;
  /** DNS domain of clusters without a custom domain. */
  readonly domain: string;
  /** Undefined if the service does not support managed identities. */
  readonly managedIdentities?: ManagedIdentitySettings | undefined;
  /** Returns the current access to the portal. Undefined without a portal. */
  readonly portal?: (() => PortalAccess) | undefined;
  /** API of the Hive that installs clusters. Undefined without Hive. */
  readonly hive?: KubeClient | undefined;
  /** Build that created the cluster, stored in every new cluster. */
  readonly buildId: string;
  /** Maximum number of unfinished operations per subscription. Default: no maximum. */
  readonly operationsPerSubscription?: number | undefined;
  /** Recommended interval between polls. */
  readonly retryAfterSeconds: number;
  /** True if this process may receive requests. */
  readonly ready: (signal: AbortSignal) => Promise<boolean>;
}
