import type { Clock, Logger } from "@keelson/base";
import { Operations } from "./arm/operations.ts";
import { completeOperation } from "./arm/provisioning.ts";
import { Registry } from "./arm/registry.ts";
import { completeGroupDeletion } from "./arm/resource-groups.ts";
import { Resources } from "./arm/resources.ts";
import { defaultTimings, type Timings } from "./arm/timings.ts";
import type { World } from "./arm/world.ts";
import { seedBuiltInRoles } from "./authorization/role-definitions.ts";
import { resourceTypes } from "./resource-types.ts";
import type { Store } from "./store/store.ts";

export interface WorldOptions {
  readonly tenantId: string;
  readonly subscriptionId: string;
  /** Short names, such as `eastus`. */
  readonly locations: readonly string[];
  readonly timings?: Partial<Timings>;
  /** Rows of a list before `nextLink`; 1,000 when absent. */
  readonly pageSize?: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The cloud that `store` holds, with its operations going on. Dispose of `operations` to end. */
export function openWorld(store: Store, options: WorldOptions): World {
  const { tenantId, subscriptionId, locations, clock, logger } = options;
  const registry = new Registry(resourceTypes);
  const world: World = {
    tenantId,
    subscriptionId,
    locations,
    clock,
    timings: { ...defaultTimings, ...options.timings },
    pageSize: options.pageSize ?? 1_000,
    store,
    registry,
    groups: store.table("resourceGroup"),
    resources: new Resources(store, registry),
    operations: new Operations({ store, clock, logger }),
  };
  store.transaction(() => seedBuiltInRoles(world));
  world.operations.start((operation) =>
    operation.kind === "deleteGroup"
      ? completeGroupDeletion(world, operation)
      : completeOperation(world, operation),
  );
  return world;
}
