import type { AzureClients, BlobContainer, WritableVaultSecrets } from "@keelson/azure";
import type { Clock } from "@keelson/base";
import type { Cloud } from "../config/cloud.ts";
import type { Region } from "../config/configuration.ts";

/** Part of a deployment, as named in its progress. */
type Phase = "predeploy" | "secrets" | "rp" | "gateway" | "dns" | "version";

export interface Progress {
  readonly phase: Phase;
  /** A state is replaced by the next one of its phase. A fact remains. */
  readonly kind: "state" | "fact";
  readonly text: string;
}

/** Dependencies of every part of a deployment. */
export interface DeployContext {
  readonly region: Region;
  readonly version: string;
  readonly cloud: Cloud;
  connect(subscriptionId: string): AzureClients;
  connectVault(vaultUrl: string): WritableVaultSecrets;
  connectContainer(containerUrl: string): BlobContainer;
  enableWebsite(accountUrl: string, signal: AbortSignal): Promise<void>;
  /** Time limit for new machines to become healthy. Default: the limit of their role. */
  readonly healthyWithinMs?: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  report(progress: Progress): void;
}

/** Returns the group and the clients of the region's own resources. */
export function inRegion({ region, connect }: DeployContext): {
  readonly azure: AzureClients;
  readonly group: string;
} {
  return { azure: connect(region.subscriptionId), group: region.rpResourceGroupName };
}
