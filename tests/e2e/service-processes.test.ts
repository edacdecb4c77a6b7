/**
 * Tests processes of the service with one PostgreSQL server and one simulation: the roles of the database, several processes of
 * the resource provider, and outages of the database.
 */
import { existsSync } from "node:fs";
import { after, before, describe } from "node:test";
import { testDatabaseOutages } from "./database-outages.ts";
import { roleCluster, testDatabaseRoles } from "./database-roles.ts";
import { processClusters, testRpProcesses } from "./rp-processes.ts";
import { Fleet } from "./support/fleet.ts";

let fleet: Fleet;
before(async () => {
  fleet = await Fleet.start({ names: [roleCluster, ...processClusters], operators: "none" });
});
after(() => fleet[Symbol.asyncDispose]());
const fleetOf = () => fleet;

describe("roles of the database", () => testDatabaseRoles(fleetOf));

describe("two processes of the resource provider", { skip: !existsSync("/proc/self/task") }, () =>
  testRpProcesses(fleetOf),
);

// Last, because these tests stop the writes of the PostgreSQL server.
describe("outages of the database", () => testDatabaseOutages(fleetOf));
