import type { GovernanceSettings } from "@keelson/admin-actions";
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

/** What the routes work with. */
export interface Service {
  readonly database: ServiceDatabase;
  readonly catalogue: Catalogue;
  readonly actions: ActionRunner;
  readonly azureChecks: AzureChecks;
  readonly clusterStatus: ClusterStatusCache;
  readonly sealer: SkipTokenSealer;
  readonly clock: Clock;
  /** The region, in the form `eastus`. */
  readonly location: string;
  /** The DNS domain under which clusters without one of their own get their names. */
  readonly domain: string;
  /** Absent where no clusters with managed identities are made. */
  readonly managedIdentities?: ManagedIdentitySettings | undefined;
  /** The portal as it is now; absent where there is none. */
  readonly portal?: (() => PortalAccess) | undefined;
  /** The API of the Hive that installs clusters; absent where none does. */
  readonly hive?: KubeClient | undefined;
  /** Rules for actions beyond roles. */
  readonly governance: GovernanceSettings;
  /** Written to every cluster made by this build. */
  readonly buildId: string;
  /** Maximum number of unfinished operations per subscription. Default: no maximum. */
  readonly operationsPerSubscription?: number | undefined;
  /** How long clients should wait between polls. */
  readonly retryAfterSeconds: number;
  /** True when this process may get requests. */
  readonly ready: (signal: AbortSignal) => Promise<boolean>;
}
