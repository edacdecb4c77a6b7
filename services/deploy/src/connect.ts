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
  /** How long new machines may take to be healthy; an hour, and 40 minutes for those of the gateway, when absent. */
  readonly healthyWithinMs?: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  report(progress: Progress): void;
}

/** The cloud of a region, as the principal that is signed in. Nothing is sent before it is used. */
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
