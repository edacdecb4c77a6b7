import type { OffsetClock } from "../base/offset-clock.ts";
import type { Store, Table } from "../store/store.ts";
import type { AccessControl } from "./access-control.ts";
import type { Features } from "./features.ts";
import type { MachineHost } from "./machine-host.ts";
import type { NewIds } from "./new-ids.ts";
import type { Operations } from "./operations.ts";
import type { Registrations } from "./registrations.ts";
import type { Registry } from "./registry.ts";
import type { ResourceGroup } from "./resource-group.ts";
import type { Resources } from "./resources.ts";
import type { SettingsAccess } from "./service-settings.ts";
import type { Timings } from "./timings.ts";

/** State of the simulated subscription. All resource types share it. */
export interface Subscription {
  readonly tenantId: string;
  /** Domain of the tenant. User names end with this domain. */
  readonly tenantDomain: string;
  readonly subscriptionId: string;
  readonly locations: readonly string[];
  readonly clock: OffsetClock;
  readonly timings: Timings;
  readonly pageSize: number;
  readonly store: Store;
  readonly registry: Registry<Subscription>;
  readonly groups: Table<ResourceGroup>;
  readonly resources: Resources;
  readonly operations: Operations;
  readonly registrations: Registrations;
  readonly features: Features;
  readonly newIds: NewIds;
  readonly settings: SettingsAccess;
  readonly access: AccessControl;
  /** Lower-case client IDs of Azure's own services. Only these services can create deny assignments. */
  readonly firstParties: ReadonlySet<string>;
  /** Host that runs the machines of scale sets, if configured. */
  readonly machineHost: MachineHost | undefined;
}

export function timestamp(subscription: Pick<Subscription, "clock">): string {
  return subscription.clock.now().toISOString();
}
