import type { JsonObject } from "@keelson/base";
import { ArmError } from "../arm/arm-error.ts";
import { type ArmRequest, type ArmResponse, ok } from "../arm/exchange.ts";
import { normalizeLocation } from "../arm/locations.ts";
import { page } from "../arm/paging.ts";
import type { ProviderView } from "../arm/provider.ts";
import type { ResourceRecord } from "../arm/resource.ts";
import { type Subscription, timestamp } from "../arm/subscription.ts";
import { at, members, nonEmptyStringAt } from "../base/json.ts";
import type { Table } from "../store/store.ts";
import { emptyVault } from "./vault.ts";

/** Deleted vault with its content. It can be recovered until its retention period ends. */
export interface DeletedVault {
  readonly record: ResourceRecord;
  readonly deletionDate: string;
  readonly scheduledPurgeDate: string;
}

const dayMs = 86_400_000;

function table(subscription: Subscription): Table<DeletedVault> {
  return subscription.store.table("deletedVault");
}

/** Stores a vault as deleted. Must be called in the transaction that removes the vault. */
export function keepDeletedVault(record: ResourceRecord, subscription: Subscription): void {
  const days = at(record.body, "properties", "softDeleteRetentionInDays");
  const now = subscription.clock.now().getTime();
  table(subscription).set(record.name.toLowerCase(), {
    record,
    deletionDate: timestamp(subscription),
    scheduledPurgeDate: new Date(now + (typeof days === "number" ? days : 90) * dayMs).toISOString(),
  });
}

export function findDeletedVault(subscription: Subscription, name: string): DeletedVault | undefined {
  const found = table(subscription).get(name.toLowerCase());
  return found && Date.parse(found.scheduledPurgeDate) > subscription.clock.now().getTime()
    ? found
    : undefined;
}

export function isDeletedVault(subscription: Subscription, name: string): boolean {
  return findDeletedVault(subscription, name) !== undefined;
}

/**
 * Removes the record of a deleted vault. Called after the vault is recovered or its name is reused. Must be called within a
 * transaction.
 */
export function forgetDeletedVault(name: string, subscription: Subscription): void {
  table(subscription).delete(name.toLowerCase());
}

/**
 * Removes the content of a deleted vault with this name if its retention period has ended. Must be called within a transaction.
 */
export function purgeExpiredVault(name: string, subscription: Subscription): void {
  if (!table(subscription).get(name.toLowerCase()) || findDeletedVault(subscription, name)) return;
  forgetDeletedVault(name, subscription);
  emptyVault(name, subscription.store);
}

export const deletedVaultViews: Readonly<Record<string, ProviderView>> = {
  deletedVaults: {
    method: "GET",
    run: (_names, request, subscription) => listDeleted(request, subscription),
  },
  // Clients list managed HSMs together with vaults. The simulation has no managed HSMs.
  deletedManagedHSMs: { method: "GET", run: () => ok({ value: [] }) },
  "locations/deletedVaults": {
    method: "GET",
    run: (names, _request, subscription) => ok(rendered(required(names, subscription), subscription)),
  },
  "locations/deletedVaults/purge": {
    method: "POST",
    run(names, _request, subscription) {
      const { record } = required(names, subscription);
      if (at(record.body, "properties", "enablePurgeProtection") === true) {
        throw new ArmError(
          405,
          "MethodNotAllowed",
          `Operation "DeletedVaultPurge" is not allowed, since the vault ${record.name} is protected from purging.`,
        );
      }
      forgetDeletedVault(record.name, subscription);
      emptyVault(record.name, subscription.store);
      return { status: 200 };
    },
  },
};

function listDeleted(request: ArmRequest, subscription: Subscription): ArmResponse {
  const rows = [...table(subscription).values()].filter(({ record }) =>
    isDeletedVault(subscription, record.name),
  );
  return page(
    request,
    rows,
    ({ record }) => record.name.toLowerCase(),
    (each) => rendered(each, subscription),
    subscription.pageSize,
  );
}

function required([location = "", name = ""]: readonly string[], subscription: Subscription): DeletedVault {
  const found = findDeletedVault(subscription, name);
  if (found && nonEmptyStringAt(found.record.body, "location") === normalizeLocation(location)) return found;
  throw new ArmError(404, "DeletedVaultNotFound", `The deleted vault ${name} was not found in ${location}.`);
}

function rendered(
  { record, deletionDate, scheduledPurgeDate }: DeletedVault,
  subscription: Subscription,
): JsonObject {
  const { name, body } = record;
  const location = nonEmptyStringAt(body, "location") ?? "";
  return {
    id: `/subscriptions/${subscription.subscriptionId}/providers/Microsoft.KeyVault/locations/${location}/deletedVaults/${name}`,
    name,
    type: "Microsoft.KeyVault/deletedVaults",
    properties: {
      vaultId: record.id,
      location,
      tags: members(body.tags),
      deletionDate,
      scheduledPurgeDate,
      ...(at(body, "properties", "enablePurgeProtection") === true ? { purgeProtectionEnabled: true } : {}),
    },
  };
}
