import { cosmosContainers, cosmosDatabaseName } from "@keelson/database/cosmos-containers";
import {
  call,
  concat,
  type Expression,
  groupLocation,
  resourceId,
  type Value,
} from "../template/expression.ts";
import { idOf, type Resource } from "../template/template.ts";

/** IDs of Cosmos DB's built-in data roles: reader and contributor. */
const dataReader = "00000000-0000-0000-0000-000000000001";
const dataContributor = "00000000-0000-0000-0000-000000000002";

export interface CosmosAccount {
  readonly name: Value;
  readonly subnetId: Value;
  readonly throughput: Value<number>;
  /** Principal with data access. Account keys are disabled. */
  readonly principalId: Expression;
  readonly condition: Expression;
  /** Subnet and principal of a read-only client. Both are empty strings if there is no read-only client. */
  readonly reader: { readonly subnetId: Expression; readonly principalId: Expression };
}

/** Returns a Cosmos DB account with the database and the containers of the service. */
export function cosmosAccount({
  name,
  subnetId,
  throughput,
  principalId,
  condition,
  reader,
}: CosmosAccount): Resource[] {
  const account: Resource = {
    type: "Microsoft.DocumentDB/databaseAccounts",
    name: [name],
    condition,
    location: groupLocation,
    kind: "GlobalDocumentDB",
    tags: { defaultExperience: "Core (SQL)" },
    properties: {
      databaseAccountOfferType: "Standard",
      consistencyPolicy: { defaultConsistencyLevel: "Strong" },
      locations: [{ locationName: groupLocation, failoverPriority: 0, isZoneRedundant: false }],
      backupPolicy: {
        type: "Periodic",
        periodicModeProperties: { backupIntervalInMinutes: 240, backupRetentionIntervalInHours: 720 },
      },
      minimalTlsVersion: "Tls12",
      disableLocalAuth: true,
      disableKeyBasedMetadataWriteAccess: true,
      enableMultipleWriteLocations: false,
      isVirtualNetworkFilterEnabled: true,
      virtualNetworkRules: subnetRules(subnetId, reader),
    },
  };
  const database: Resource = {
    type: "Microsoft.DocumentDB/databaseAccounts/sqlDatabases",
    name: [name, cosmosDatabaseName],
    condition,
    dependsOn: [idOf(account)],
    properties: { resource: { id: cosmosDatabaseName }, options: { throughput } },
  };
  const containers = cosmosContainers.map(
    (container): Resource => ({
      type: "Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers",
      name: [name, cosmosDatabaseName, container.id],
      condition,
      dependsOn: [idOf(database)],
      properties: {
        resource: {
          id: container.id,
          partitionKey: { ...container.partitionKey, kind: "Hash" },
          indexingPolicy: { ...container.indexingPolicy, automatic: true },
          ...(container.defaultTtl === undefined ? {} : { defaultTtl: container.defaultTtl }),
        },
        options: {},
      },
    }),
  );
  const assignment = (role: string, to: Expression, asked: Expression): Resource => ({
    type: "Microsoft.DocumentDB/databaseAccounts/sqlRoleAssignments",
    name: [name, call("guid", idOf(account), to, role)],
    condition: asked,
    dependsOn: [idOf(database)],
    properties: {
      roleDefinitionId: resourceId("Microsoft.DocumentDB/databaseAccounts/sqlRoleDefinitions", [name, role]),
      principalId: to,
      scope: concat(idOf(account), "/dbs/", cosmosDatabaseName),
    },
  });
  const isRead = call("not", call("empty", reader.principalId));
  return [
    account,
    database,
    ...containers,
    assignment(dataContributor, principalId, condition),
    assignment(dataReader, reader.principalId, call("and", condition, isRead)),
  ];
}

function subnetRules(
  subnetId: Value,
  { subnetId: ofReader, principalId }: CosmosAccount["reader"],
): Expression {
  const rule = (id: Value) => call("createObject", "id", id);
  const own = call("createArray", rule(subnetId));
  return call("if", call("empty", principalId), own, call("createArray", rule(subnetId), rule(ofReader)));
}
