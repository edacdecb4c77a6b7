import type { JsonObject } from "@keelson/base";
import { ArmError } from "../arm/arm-error.ts";
import { newRecord } from "../arm/new-record.ts";
import type { ResourceRecord } from "../arm/resource.ts";
import type { Draft, ResourceType } from "../arm/resource-type.ts";
import { type Subscription, timestamp } from "../arm/subscription.ts";
import { listUsages, type Usage } from "../arm/usages.ts";
import { members, nonEmptyStringAt, objectsAt, withProperties } from "../base/json.ts";
import { accountActions } from "./account-actions.ts";
import { accountEndpoints } from "./account-endpoints.ts";
import { accountKeysOf, hiddenKeys, newAccountKeys } from "./account-keys.ts";
import { checkNetworkRules } from "./network-rules.ts";
import { invalidParameter as invalid } from "./parameters.ts";

const kinds = ["StorageV2", "Storage", "BlobStorage", "BlockBlobStorage", "FileStorage"];

export const storageAccounts: ResourceType = {
  namespace: "Microsoft.Storage",
  type: "storageAccounts",
  statuses: { created: 200, creating: 202 },
  names: /^[a-z0-9]{3,24}$/,
  globalName: {
    taken: (name) =>
      new ArmError(
        409,
        "StorageAccountInAnotherResourceGroup",
        `The account ${name} already exists in another resource group in this subscription.`,
      ),
    rules:
      "The name is not a valid storage account name. Storage account name must be between 3 and 24 characters in length and use numbers and lower-case letters only.",
    invalid: "AccountNameInvalid",
  },
  readOnly: [
    "primaryEndpoints",
    "primaryLocation",
    "statusOfPrimary",
    "creationTime",
    "keyCreationTime",
    "privateEndpointConnections",
  ],
  actions: accountActions,
  views: {
    "locations/usages": {
      method: "GET",
      run: ([location = ""], _request, subscription) =>
        listUsages(subscription, location, (place) => accountUsage(subscription, place)),
    },
  },
  prepare(draft, subscription) {
    const { body, existing } = draft;
    const kind = nonEmptyStringAt(body, "kind") ?? nonEmptyStringAt(existing?.body, "kind");
    const sku = nonEmptyStringAt(body, "sku", "name") ?? nonEmptyStringAt(existing?.body, "sku", "name");
    if (kind === undefined || !kinds.includes(kind)) throw invalid("kind", kind);
    if (sku === undefined || !/^(Standard|Premium)_\w+$/.test(sku)) throw invalid("sku.name", sku);
    checkNetworkRules(draft, subscription);
    const creationTime = existing?.createdAt ?? timestamp(subscription);
    const hidden = existing ? existing.hidden : hiddenKeys(newAccountKeys(creationTime));
    return { body: completed(draft, kind, sku, creationTime), hidden };
  },
  created: (account, subscription) => subscription.resources.put(defaultBlobService(account, subscription)),
  render(account, _subscription, request) {
    const created = accountKeysOf(account).map((each) => [each.keyName, each.creationTime]);
    return withProperties(account.body, {
      primaryEndpoints: accountEndpoints(account.name, request?.baseUrl),
      keyCreationTime: Object.fromEntries(created),
    });
  },
};

function accountUsage(subscription: Subscription, location: string): readonly Usage[] {
  const here = subscription.resources
    .ofType("Microsoft.Storage/storageAccounts")
    .filter((each) => nonEmptyStringAt(each.body, "location") === location);
  return [{ name: "StorageAccounts", localizedName: "Storage Accounts", current: here.length }];
}

/**
 * Returns the account with Azure's defaults. If the account exists, properties that the body does not contain keep their values.
 */
function completed({ body, existing }: Draft, kind: string, sku: string, creationTime: string): JsonObject {
  const before = members(existing?.body.properties);
  const given = members(body.properties);
  return {
    ...body,
    kind,
    sku: { name: sku, tier: sku.split("_")[0] ?? "" },
    properties: {
      accessTier: "Hot",
      allowBlobPublicAccess: false,
      allowSharedKeyAccess: true,
      minimumTlsVersion: "TLS1_2",
      supportsHttpsTrafficOnly: true,
      encryption: {
        keySource: "Microsoft.Storage",
        services: { blob: { enabled: true, keyType: "Account" } },
      },
      ...before,
      ...given,
      networkAcls: {
        bypass: "AzureServices",
        defaultAction: "Allow",
        ipRules: [],
        ...members(before.networkAcls),
        ...members(given.networkAcls),
        virtualNetworkRules: objectsAt(
          given.networkAcls === undefined ? before : given,
          "networkAcls",
          "virtualNetworkRules",
        ).map((each) => ({ action: "Allow", ...each, state: "Succeeded" })),
      },
      primaryLocation: nonEmptyStringAt(body, "location") ?? "",
      statusOfPrimary: "available",
      creationTime,
    },
  };
}

/** Returns the default blob service. Every account has this blob service from its creation. */
function defaultBlobService(account: ResourceRecord, subscription: Subscription): ResourceRecord {
  const properties = { cors: { corsRules: [] }, deleteRetentionPolicy: { enabled: false } };
  const type = "Microsoft.Storage/storageAccounts/blobServices";
  return newRecord(subscription, { id: `${account.id}/blobServices/default`, type, body: { properties } });
}
