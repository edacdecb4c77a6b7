import type { JsonObject } from "@keelson/base";
import { ArmError } from "../arm/arm-error.ts";
import { type ArmRequest, type ArmResponse, ok } from "../arm/exchange.ts";
import { normalizeLocation } from "../arm/locations.ts";
import { page } from "../arm/paging.ts";
import type { ResourceRecord } from "../arm/resource.ts";
import type { ProviderView } from "../arm/resource-type.ts";
import { timestamp, type World } from "../arm/world.ts";
import { at, members, textAt } from "../json.ts";
import type { Table } from "../store/store.ts";
import { emptyVault } from "./vault.ts";

/** A vault that is gone, with all it held, and comes back until its time is over. */
export interface DeletedVault {
  readonly record: ResourceRecord;
  readonly deletionDate: string;
  readonly scheduledPurgeDate: string;
}

const dayMs = 86_400_000;

function table(world: World): Table<DeletedVault> {
  return world.store.table("deletedVault");
}

/** Call inside the transaction that removes the vault. */
export function keepDeletedVault(record: ResourceRecord, world: World): void {
  const days = at(record.body, "properties", "softDeleteRetentionInDays");
  const now = world.clock.now().getTime();
  table(world).set(record.name.toLowerCase(), {
    record,
    deletionDate: timestamp(world),
    scheduledPurgeDate: new Date(now + (typeof days === "number" ? days : 90) * dayMs).toISOString(),
  });
}

export function findDeletedVault(world: World, name: string): DeletedVault | undefined {
  const found = table(world).get(name.toLowerCase());
  return found && Date.parse(found.scheduledPurgeDate) > world.clock.now().getTime() ? found : undefined;
}

export function isDeletedVault(world: World, name: string): boolean {
  return findDeletedVault(world, name) !== undefined;
}

/** It is a vault again, or its name is another's. Call inside a transaction. */
export function forgetDeletedVault(name: string, world: World): void {
  table(world).delete(name.toLowerCase());
}

/** A new vault has nothing of one that had its name and whose time is over. Call inside a transaction. */
export function purgeExpiredVault(name: string, world: World): void {
  if (!table(world).get(name.toLowerCase()) || findDeletedVault(world, name)) return;
  forgetDeletedVault(name, world);
  emptyVault(name, world.store);
}

export const deletedVaultViews: Readonly<Record<string, ProviderView>> = {
  deletedVaults: {
    method: "GET",
    run: (_names, request, world) => listDeleted(request, world),
  },
  // Who asks for deleted vaults asks for these as well; there are none.
  deletedManagedHSMs: { method: "GET", run: () => ok({ value: [] }) },
  "locations/deletedVaults": {
    method: "GET",
    run: (names, _request, world) => ok(rendered(required(names, world), world)),
  },
  "locations/deletedVaults/purge": {
    method: "POST",
    run(names, _request, world) {
      const { record } = required(names, world);
      if (at(record.body, "properties", "enablePurgeProtection") === true) {
        throw new ArmError(
          405,
          "MethodNotAllowed",
          `Operation "DeletedVaultPurge" is not allowed, since the vault ${record.name} is protected from purging.`,
        );
      }
      forgetDeletedVault(record.name, world);
      emptyVault(record.name, world.store);
      return { status: 200 };
    },
  },
};

function listDeleted(request: ArmRequest, world: World): ArmResponse {
  const rows = [...table(world).values()].filter(({ record }) => isDeletedVault(world, record.name));
  return page(
    request,
    rows,
    ({ record }) => record.name.toLowerCase(),
    (each) => rendered(each, world),
    world.pageSize,
  );
}

function required([location = "", name = ""]: readonly string[], world: World): DeletedVault {
  const found = findDeletedVault(world, name);
  if (found && textAt(found.record.body, "location") === normalizeLocation(location)) return found;
  throw new ArmError(404, "DeletedVaultNotFound", `The deleted vault ${name} was not found in ${location}.`);
}

function rendered({ record, deletionDate, scheduledPurgeDate }: DeletedVault, world: World): JsonObject {
  const { name, body } = record;
  const location = textAt(body, "location") ?? "";
  return {
    id: `/subscriptions/${world.subscriptionId}/providers/Microsoft.KeyVault/locations/${location}/deletedVaults/${name}`,
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
