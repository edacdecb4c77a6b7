import { randomBytes } from "node:crypto";
import type { JsonObject } from "@keelson/base";
import { ArmError, badRequest } from "../arm/arm-error.ts";
import { ok } from "../arm/exchange.ts";
import type { ResourceRecord } from "../arm/resource.ts";
import type { ResourceType } from "../arm/resource-type.ts";
import { at, nonEmptyStringAt, objectsAt, withProperties } from "../base/json.ts";

const consistencyLevels = ["Strong", "BoundedStaleness", "Session", "ConsistentPrefix", "Eventual"];
const keyNames = ["primaryMasterKey", "secondaryMasterKey"] as const;
const readKeyNames = ["primaryReadonlyMasterKey", "secondaryReadonlyMasterKey"] as const;

/** Cosmos DB accounts as ARM resources. `startSimulatedCosmos` serves their data. */
export const databaseAccounts: ResourceType = {
  namespace: "Microsoft.DocumentDB",
  type: "databaseAccounts",
  statuses: { created: 200, deleted: 204 },
  names: /^[a-z0-9][a-z0-9-]{1,42}[a-z0-9]$/,
  readOnly: ["documentEndpoint", "instanceId", "writeLocations", "readLocations"],
  references: [{ path: ["virtualNetworkRules"] }],
  actions: {
    listKeys: { method: "POST", run: (record) => ok(keysOf(record, [...keyNames, ...readKeyNames])) },
    readonlykeys: { method: "POST", run: (record) => ok(keysOf(record, readKeyNames)) },
  },
  prepare({ name, body, existing }) {
    const locations = objectsAt(body, "properties", "locations");
    if (
      locations.length === 0 ||
      nonEmptyStringAt(body, "properties", "databaseAccountOfferType") !== "Standard"
    ) {
      throw badRequest(
        "BadRequest",
        `The account ${name} needs 'properties.locations' and the 'databaseAccountOfferType' Standard.`,
      );
    }
    const level =
      nonEmptyStringAt(body, "properties", "consistencyPolicy", "defaultConsistencyLevel") ?? "Session";
    if (!consistencyLevels.includes(level)) {
      throw badRequest("BadRequest", `The consistency level '${level}' of the account ${name} is unknown.`);
    }
    const regions = locations.map((each, index) => ({
      id: `${name}-${nonEmptyStringAt(each, "locationName")}`,
      locationName: nonEmptyStringAt(each, "locationName") ?? "",
      documentEndpoint: `https://${name}-${nonEmptyStringAt(each, "locationName")}.documents.azure.com:443/`,
      provisioningState: "Succeeded",
      failoverPriority: at(each, "failoverPriority") ?? index,
    }));
    const names = [...keyNames, ...readKeyNames];
    return {
      body: {
        kind: "GlobalDocumentDB",
        ...withProperties(body, {
          documentEndpoint: `https://${name}.documents.azure.com:443/`,
          consistencyPolicy: { defaultConsistencyLevel: level },
          writeLocations: regions.slice(0, 1),
          readLocations: regions,
        }),
      },
      hidden:
        existing?.hidden ??
        Object.fromEntries(names.map((each) => [each, randomBytes(64).toString("base64")])),
    };
  },
};

function keysOf(account: ResourceRecord, names: readonly string[]): JsonObject {
  if (at(account.body, "properties", "disableLocalAuth") === true) {
    throw new ArmError(
      403,
      "Forbidden",
      `Database Account ${account.name} has disabled local authorization: sign in with Microsoft Entra ID.`,
    );
  }
  return Object.fromEntries(names.map((each) => [each, account.hidden[each] ?? null]));
}
