import type { GovernanceSettings } from "@keelson/admin-actions";
import type { SkipTokenSealer } from "@keelson/arm";
import type { PortalAccess } from "@keelson/auth";
import type { Clock } from "@keelson/base";
import type { Readiness } from "@keelson/http";
import type { KubeClient } from "@keelson/kube";
import type { ServiceDatabase } from "@keelson/model";
import type { ActionRunner } from "../admin-actions/running/action-runner.ts";
import type { AzureChecks } from "../azure-checks/azure-checks.ts";
import type { RequestContext } from "../http/messages/request-context.ts";
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
  /** Azure region, for example `eastus`. */
  readonly location: string;
  /** DNS domain of clusters without a custom domain. */
  readonly domain: string;
  /** Settings for managed identities. Undefined if the service does not support them. */
  readonly managedIdentities?: ManagedIdentitySettings | undefined;
  /** Returns the data with which administrators access the portal. Undefined if the service has no portal. */
  readonly portal?: (() => PortalAccess) | undefined;
  /** Client of the cluster on which Hive runs. Undefined if Hive is not used. */
  readonly hive?: KubeClient | undefined;
  /** Rules for administrators' actions in addition to roles. */
  readonly governance: GovernanceSettings;
  /** Build ID of the service, which every new cluster stores. */
  readonly buildId: string;
  /** Maximum number of unfinished operations per subscription. Default: no maximum. */
  readonly operationsPerSubscription?: number | undefined;
  /** Recommended polling interval for clients in seconds. */
  readonly retryAfterSeconds: number;
  /** Reports whether this process is ready for requests. */
  readonly readiness: Readiness;
  /** Resolves to true if the caller may use the API. */
  readonly admits: (request: RequestContext) => Promise<boolean>;
}
