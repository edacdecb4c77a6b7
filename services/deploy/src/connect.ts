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
  /** Time limit for new machines to become healthy. Default: 60 minutes, or 40 minutes for gateway machines. */
  readonly healthyWithinMs?: number | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  report(progress: Progress): void;
}

/** Returns a deployment context for a region's cloud and the signed-in principal. This function sends no requests. */
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
