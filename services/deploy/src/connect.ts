import {
  connectAzure,
  connectBlobContainer,
  connectVault,
  enableStaticWebsite,
  type SignedIn,
} from "@keelson/azure";
import type { Clock, Logger } from "@keelson/base";
import { cloudOf } from "./config/cloud.ts";
import type { Region } from "./config/configuration.ts";
import type { DeployContext, Progress } from "./flow/context.ts";

export interface ConnectOptions {
  readonly region: Region;
  readonly version: string;
  readonly credential: SignedIn;
  /** Time limit for new machines to become healthy. Default: 60 minutes, 40 minutes for the gateway's. */
  readonly healthyWithinMs?: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  report(progress: Progress): void;
}

/** Connects to the cloud of a region as the signed-in principal. Sends requests only on use. */
export function connectRegion(options: ConnectOptions): DeployContext {
  const { region, credential, logger } = options;
  const cloud = cloudOf(region.configuration);
  const shared = { environment: cloud.environment, credential, logger };
  return {
    ...options,
    cloud,
    connect: (subscriptionId) => connectAzure({ ...shared, subscriptionId }),
    connectVault: (vaultUrl) => connectVault({ ...shared, vaultUrl, audience: cloud.vaultAudience }),
    connectContainer: (containerUrl) => connectBlobContainer({ ...shared, containerUrl }),
    enableWebsite: (accountUrl, signal) => enableStaticWebsite({ ...shared, accountUrl }, signal),
  };
}
