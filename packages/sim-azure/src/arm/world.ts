import type { Clock } from "@keelson/base";
import type { Store, Table } from "../store/store.ts";
import type { Operations } from "./operations.ts";
import type { Registry } from "./registry.ts";
import type { ResourceGroup } from "./resource-group.ts";
import type { Resources } from "./resources.ts";
import type { Timings } from "./timings.ts";

/** The simulated cloud of one subscription: what the rules of every resource type read and write. */
export interface World {
  readonly tenantId: string;
  readonly subscriptionId: string;
  readonly locations: readonly string[];
  readonly clock: Clock;
  readonly timings: Timings;
  readonly pageSize: number;
  readonly store: Store;
  readonly registry: Registry;
  readonly groups: Table<ResourceGroup>;
  readonly resources: Resources;
  readonly operations: Operations;
}

export function timestamp(world: Pick<World, "clock">): string {
  return world.clock.now().toISOString();
}
