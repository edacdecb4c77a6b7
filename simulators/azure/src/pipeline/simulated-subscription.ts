import type { KeyPair } from "@keelson/base";
import type { Subscription } from "../arm/subscription.ts";
import type { DeploymentHistory } from "../deployments/history.ts";
import type { Faults } from "../faults/faults.ts";
import type { ActivityLog } from "../insights/activity-log.ts";
import type { Blobs } from "../storage/blob-store.ts";

/** Subscription with the state of all simulated services. */
export interface SimulatedSubscription extends Subscription {
  /** CA for key vault certificates of public issuers. Default: a generated CA. */
  readonly publicAuthority: KeyPair | undefined;
  readonly deployments: DeploymentHistory;
  readonly faults: Faults;
  readonly activities: ActivityLog;
  readonly blobs: Blobs;
}
