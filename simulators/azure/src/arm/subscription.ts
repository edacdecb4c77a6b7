import type { KeyPair } from "@keelson/base";
import type { OffsetClock } from "../clock/offset-clock.ts";
import type { DeploymentHistory } from "../deployments/history.ts";
import type { Faults } from "../faults/faults.ts";
import type { ActivityLog } from "../insights/activity-log.ts";
import type { Blobs } from "../storage/blob-store.ts";
import type { Store, Table } from "../store/store.ts";
import type { Features } from "./features.ts";
import type { Operations } from "./operations.ts";
import type { Registrations } from "./providers.ts";
import type { Registry } from "./registry.ts";
import type { ResourceGroup } from "./resource-group.ts";
import type { Resources } from "./resources.ts";
import type { SubscriptionSettings } from "./settings.ts";
import type { Timings } from "./timings.ts";

/** The simulated cloud of one subscription: what the rules of every resource type read and write. */
export interface Subscription {
  readonly tenantId: string;
  readonly subscriptionId: string;
  readonly locations: readonly string[];
  readonly clock: OffsetClock;
  readonly timings: Timings;
  readonly pageSize: number;
  /** Signs what key vaults have a public issuer sign; the subscription makes one of its own where it is absent. */
  readonly publicAuthority: KeyPair | undefined;
  readonly store: Store;
  readonly registry: Registry;
  readonly groups: Table<ResourceGroup>;
  readonly resources: Resources;
  readonly operations: Operations;
  readonly deployments: DeploymentHistory;
  readonly registrations: Registrations;
  readonly features: Features;
  readonly settings: SubscriptionSettings;
  readonly faults: Faults;
  readonly activities: ActivityLog;
  readonly blobs: Blobs;
  /** Client IDs, lower case, of services that Azure runs: they alone make deny assignments. */
  readonly firstParties: ReadonlySet<string>;
}

export function timestamp(subscription: Pick<Subscription, "clock">): string {
  return subscription.clock.now().toISOString();
}
