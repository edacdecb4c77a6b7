import { concat, type Expression, groupLocation, type Value } from "../template/expression.ts";
import { idOf, type Resource } from "../template/template.ts";
import { type NamedVnet, peeringPair, virtualNetwork } from "./network.ts";

export const postgresLogin = "keelson";
export const postgresDatabase = "keelson";

export interface PostgresServer {
  readonly name: Value;
  readonly password: Expression;
  readonly sku: Value;
  /** Network with access to the server. */
  readonly clients: NamedVnet;
  /** IDs of resources that must be deployed first, because they change the network of the clients. */
  readonly after: readonly Expression[];
  readonly condition: Expression;
}

/** Returns a PostgreSQL server in a dedicated network. Only the clients' network can reach it. */
export function postgresServer(server: PostgresServer): Resource[] {
  const { name, condition, clients, after } = server;
  const when = (resource: Resource): Resource => ({ ...resource, condition });
  const vnet = when(
    virtualNetwork("rp-database-vnet", [
      {
        name: "rp-database-subnet",
        prefix: "10.0.2.0/24",
        delegatedTo: "Microsoft.DBforPostgreSQL/flexibleServers",
      },
    ]),
  );
  const peerings = peeringPair(clients, { name: "rp-database-vnet", id: idOf(vnet) }, [idOf(vnet), ...after]);
  const zone: Resource = {
    type: "Microsoft.Network/privateDnsZones",
    name: [concat(name, ".private.postgres.database.azure.com")],
    condition,
    location: "global",
    properties: {},
  };
  const link: Resource = {
    type: "Microsoft.Network/privateDnsZones/virtualNetworkLinks",
    name: [...zone.name, clients.name],
    condition,
    location: "global",
    dependsOn: [idOf(zone)],
    properties: { registrationEnabled: false, virtualNetwork: { id: clients.id } },
  };
  const machine: Resource = {
    type: "Microsoft.DBforPostgreSQL/flexibleServers",
    name: [name],
    condition,
    location: groupLocation,
    sku: { name: server.sku, tier: "GeneralPurpose" },
    dependsOn: [idOf(vnet), idOf(link)],
    properties: {
      version: "17",
      administratorLogin: postgresLogin,
      administratorLoginPassword: server.password,
      storage: { storageSizeGB: 128, autoGrow: "Enabled" },
      backup: { backupRetentionDays: 30, geoRedundantBackup: "Disabled" },
      highAvailability: { mode: "ZoneRedundant" },
      network: {
        delegatedSubnetResourceId: idOf(vnet, "subnets", "rp-database-subnet"),
        privateDnsZoneArmResourceId: idOf(zone),
      },
    },
  };
  const database: Resource = {
    type: "Microsoft.DBforPostgreSQL/flexibleServers/databases",
    name: [name, postgresDatabase],
    condition,
    dependsOn: [idOf(machine)],
    properties: { charset: "UTF8", collation: "en_US.utf8" },
  };
  return [vnet, ...peerings.map(when), zone, link, machine, database];
}
