import type { JsonObject } from "@keelson/base";
import { ArmError, badRequest } from "../arm/arm-error.ts";
import type { Draft, ResourceType } from "../arm/resource-type.ts";
import type { Subscription } from "../arm/subscription.ts";
import { at, members, nonEmptyStringAt, withProperties } from "../base/json.ts";
import { azureHost } from "../proxy/azure-hosts.ts";
import {
  deletedVaultViews,
  findDeletedVault,
  forgetDeletedVault,
  keepDeletedVault,
  purgeExpiredVault,
} from "./deleted-vaults.ts";

/**
 * Key vaults with soft delete. `createMode: "recover"` restores the content of a deleted vault. A purge deletes the content
 * permanently.
 */
export const vaults: ResourceType = {
  namespace: "Microsoft.KeyVault",
  type: "vaults",
  names: /^(?!.*--)[A-Za-z][A-Za-z0-9-]{1,22}[A-Za-z0-9]$/,
  globalName: {
    taken: (name) =>
      new ArmError(
        409,
        "VaultAlreadyExists",
        `The vault name '${name}' is already in use. Vault names are globally unique so it is possible that the name is already taken.`,
      ),
    held(name, id, subscription) {
      // Only a name availability check has no ID. A write is not rejected here, because it may recover the deleted vault.
      return id === undefined && findDeletedVault(subscription, name) ? deletedConflict(name) : undefined;
    },
    rules:
      "The vault name is invalid. A vault's name must be between 3-24 alphanumeric characters. The name must begin with a letter, end with a letter or digit, and not contain consecutive hyphens.",
    invalid: "AccountNameInvalid",
  },
  readOnly: ["vaultUri", "hsmPoolResourceId", "privateEndpointConnections"],
  views: deletedVaultViews,
  prepare(draft, subscription) {
    const body =
      createMode(draft) === "recover" ? recovered(draft, subscription) : fresh(draft, subscription);
    const { createMode: _, ...properties } = members(body.properties);
    return { body: { ...body, properties } };
  },
  removed: keepDeletedVault,
  render(vault, _subscription, request) {
    const baseUrl = request?.baseUrl;
    const isAzure = baseUrl === undefined || azureHost(new URL(baseUrl).host) !== undefined;
    const vaultUri = isAzure
      ? `https://${vault.name.toLowerCase()}.vault.azure.net/`
      : `${baseUrl}/vaults/${vault.name.toLowerCase()}/`;
    return withProperties(vault.body, { vaultUri });
  },
};

function createMode({ body }: Draft): string | undefined {
  return nonEmptyStringAt(body, "properties", "createMode");
}

function recovered({ id, name, body, existing }: Draft, subscription: Subscription): JsonObject {
  const deleted = findDeletedVault(subscription, name);
  if (existing) return existing.body;
  if (deleted?.record.id.toLowerCase() !== id.toLowerCase()) {
    throw new ArmError(404, "DeletedVaultNotFound", `There is no deleted vault ${id} to recover.`);
  }
  forgetDeletedVault(name, subscription);
  return { ...deleted.record.body, ...(body.tags === undefined ? {} : { tags: body.tags }) };
}

function fresh({ name, body, existing }: Draft, subscription: Subscription): JsonObject {
  if (!existing && findDeletedVault(subscription, name)) throw deletedConflict(name);
  purgeExpiredVault(name, subscription);
  const given = members(body.properties);
  const before = members(existing?.body.properties);
  const family = nonEmptyStringAt(given, "sku", "family") ?? nonEmptyStringAt(before, "sku", "family");
  const sku = nonEmptyStringAt(given, "sku", "name") ?? nonEmptyStringAt(before, "sku", "name");
  if (family !== "A" || (sku?.toLowerCase() !== "standard" && sku?.toLowerCase() !== "premium")) {
    throw badRequest(
      "BadRequest",
      "A vault needs 'properties.sku' of the family 'A', 'standard' or 'premium'.",
    );
  }
  if (!nonEmptyStringAt(given, "tenantId"))
    throw badRequest("BadRequest", "A vault needs 'properties.tenantId'.");
  if (!existing && given.enableRbacAuthorization !== true && !Array.isArray(given.accessPolicies)) {
    throw badRequest(
      "BadRequest",
      "The parameter accessPolicies is not specified, and the vault does not go by roles (enableRbacAuthorization).",
    );
  }
  if (at(before, "enablePurgeProtection") === true && given.enablePurgeProtection === false) {
    throw badRequest("BadRequest", "The property 'enablePurgeProtection' cannot be taken back.");
  }
  if (given.enableSoftDelete === false) {
    throw badRequest("BadRequest", "The property 'enableSoftDelete' cannot be false.");
  }
  return withProperties(body, {
    accessPolicies: [],
    enabledForDeployment: false,
    enableSoftDelete: true,
    softDeleteRetentionInDays: 90,
    enableRbacAuthorization: false,
    publicNetworkAccess: "Enabled",
    ...(before.enablePurgeProtection === true ? { enablePurgeProtection: true } : {}),
    ...given,
    sku: { family, name: sku?.toLowerCase() ?? "" },
  });
}

function deletedConflict(name: string): ArmError {
  return new ArmError(
    409,
    "ConflictError",
    `A vault with the same name already exists in deleted state: ${name}. You need to either recover or purge existing key vault.`,
  );
}
