import type { Clock, KeyPair, Logger } from "@keelson/base";
import { Features } from "./arm/features.ts";
import type { MachineHost } from "./arm/machine-host.ts";
import { NewIds } from "./arm/new-ids.ts";
import { type BeforeEnd, Operations } from "./arm/operations.ts";
import { completeOperation } from "./arm/provisioning.ts";
import { Registrations } from "./arm/registrations.ts";
import { Registry } from "./arm/registry.ts";
import { completeGroupDeletion } from "./arm/resource-groups.ts";
import { Resources } from "./arm/resources.ts";
import { defaultTimings, type Timings } from "./arm/timings.ts";
import { accessControl } from "./authorization/enforcement/access-control.ts";
import { seedBuiltInRoles } from "./authorization/role-definitions.ts";
import { OffsetClock } from "./base/offset-clock.ts";
import { DeploymentHistory } from "./deployments/history.ts";
import { guidOf } from "./entra/credentials.ts";
import { openShiftService } from "./entra/first-party-clients.ts";
import { tenantDomain } from "./entra/tenants.ts";
import { FaultTallies } from "./faults/definitions/fault-tallies.ts";
import { Faults } from "./faults/faults.ts";
import { ActivityLog } from "./insights/activity-log.ts";
import type { SimulatedSubscription } from "./pipeline/simulated-subscription.ts";
import { providers } from "./providers.ts";
import { followMachines } from "./scale-sets/machine-feed.ts";
import { awaitUnits } from "./scale-sets/run-command.ts";
import { type Settings, SubscriptionSettings } from "./settings/settings.ts";
import type { BlobFiles } from "./storage/blob-files.ts";
import { Blobs } from "./storage/blob-store.ts";
import type { Store } from "./store/store.ts";

export interface SubscriptionOptions {
  readonly tenantId: string;
  readonly subscriptionId: string;
  /** Short location names, such as `eastus`. */
  readonly locations: readonly string[];
  readonly timings?: Partial<Timings>;
  /** Page size of lists. Default: 1,000. */
  readonly pageSize?: number;
  /** Seed of the IDs of new objects. Default: random IDs. */
  readonly seed?: number;
  /** CA that signs key vault certificates for public issuers. */
  readonly publicAuthority?: KeyPair;
  /** Client IDs of Azure services, in addition to the built-in client IDs. */
  readonly firstPartyClientIds?: readonly string[];
  /** Host that runs the machines of scale sets. Default: no software runs on the machines. */
  readonly machineHost?: MachineHost;
  /** Deletes resources of external providers before a group is deleted. */
  readonly clearGroup?: BeforeEnd;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Opens the subscription in `store` and resumes its operations. To stop the operations, dispose `operations`. */
export function openSubscription(
  store: Store,
  files: BlobFiles,
  options: SubscriptionOptions,
): SimulatedSubscription {
  const { tenantId, subscriptionId, locations, seed, logger } = options;
  const clock = new OffsetClock(options.clock);
  store.index<Settings>("settings", (_before, after) => clock.moveTo(after?.clockAheadMs ?? 0));
  const blobs = new Blobs(store, files);
  const activities = new ActivityLog(store);
  const deployments = new DeploymentHistory(store);
  const registry = new Registry(providers({ blobs, activities, deployments }));
  const tallies = new FaultTallies(store);
  const settings = new SubscriptionSettings(store, tallies);
  const subscription: SimulatedSubscription = {
    tenantId,
    tenantDomain,
    subscriptionId,
    locations,
    clock,
    timings: { ...defaultTimings, ...options.timings },
    pageSize: options.pageSize ?? 1_000,
    publicAuthority: options.publicAuthority,
    store,
    registry,
    groups: store.table("resourceGroup"),
    resources: new Resources(store, registry),
    operations: new Operations({ store, clock, logger }),
    deployments,
    registrations: new Registrations(store),
    newIds: new NewIds(store, seed === undefined ? undefined : (key) => guidOf(`${seed} ${key}`)),
    features: new Features(store, registry),
    firstParties: new Set(
      [openShiftService.clientId, ...(options.firstPartyClientIds ?? [])].map((each) => each.toLowerCase()),
    ),
    machineHost: options.machineHost,
    settings,
    access: accessControl(() => subscription),
    activities,
    blobs,
    faults: new Faults(store, settings, tallies),
  };
  store.transaction(() => seedBuiltInRoles(subscription));
  subscription.operations.start(
    (operation) =>
      operation.kind === "deleteGroup"
        ? completeGroupDeletion(subscription, operation)
        : completeOperation(subscription, operation),
    async (operation, signal) => {
      if (operation.kind === "deleteGroup") return options.clearGroup?.(operation, signal);
      return awaitUnits(subscription, operation, signal);
    },
  );
  if (options.machineHost) followMachines(subscription, options.machineHost);
  return subscription;
}
