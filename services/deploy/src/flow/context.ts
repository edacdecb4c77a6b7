import type { AzureClients, BlobContainer, WritableVaultSecrets } from "@keelson/azure";
import type { Clock } from "@keelson/base";
import type { Cloud } from "../config/cloud.ts";
import type { Region } from "../config/configuration.ts";

/** Deployment phase in progress reports. */
type Phase = "predeploy" | "secrets" | "rp" | "gateway" | "dns" | "version";

export interface Progress {
  readonly phase: Phase;
  /**
   * A progress report of kind `state` replaces the previous state of its phase. A report of kind `fact` is displayed permanently.
   */
  readonly kind: "state" | "fact";
  readonly text: string;
}

/** Dependencies of all deployment phases. */
export interface DeployContext {
  readonly region: Region;
  readonly version: string;
  readonly cloud: Cloud;
  connect(subscriptionId: string): AzureClients;
  connectVault(vaultUrl: string): WritableVaultSecrets;
  connectContainer(containerUrl: string): BlobContainer;
  enableWebsite(accountUrl: string, signal: AbortSignal): Promise<void>;
  /** Time limit for new machines to become healthy. Default: the limit of the machines' role. */
  readonly healthyWithinMs?: number | undefined;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  report(progress: Progress): void;
}

/** Returns the resource group and the clients for the region's own resources. */
export function inRegion({ region, connect }: DeployContext): {
  readonly azure: AzureClients;
  readonly group: string;
} {
  return { azure: connect(region.subscriptionId), group: region.rpResourceGroupName };
}
