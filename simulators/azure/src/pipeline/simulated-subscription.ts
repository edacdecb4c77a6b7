import type { KeyPair } from "@keelson/base";
import type { Subscription } from "../arm/subscription.ts";
import type { DeploymentHistory } from "../deployments/history.ts";
import type { Faults } from "../faults/faults.ts";
import type { ActivityLog } from "../insights/activity-log.ts";
import type { Blobs } from "../storage/blob-store.ts";

/** The subscription with what its services keep besides resources. */
export interface SimulatedSubscription extends Subscription {
  /** Signs what key vaults have a public issuer sign; each vault makes one of its own where it is absent. */
  readonly publicAuthority: KeyPair | undefined;
  readonly deployments: DeploymentHistory;
  readonly faults: Faults;
  readonly activities: ActivityLog;
  readonly blobs: Blobs;
}
