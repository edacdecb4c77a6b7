/** The real frontend without workers, in a process of its own. Prints its URL. */
import process from "node:process";
import { acceptAll } from "@keelson/auth";
import { createLogger, Metrics, openLogFile, systemClock } from "@keelson/base";
import { create, postgresDriver } from "@keelson/database";
import { startFrontend } from "@keelson/frontend";
import { openBenchDatabase } from "./support/open-database.ts";
import { readServer } from "./support/server-settings.ts";

const { tls, directory, subscriptionId, databaseUrl } = readServer();
const signal = new AbortController().signal;
const database = await openBenchDatabase(postgresDriver({ url: databaseUrl }));
const { subscriptions, versions } = database.collections;
const subscription = {
  id: subscriptionId,
  partitionKey: subscriptionId,
  deleting: false,
  subscription: { state: "Registered" as const },
};
await database.commit(subscriptionId, [create(subscriptions, subscription)], { signal });
const properties = {
  version: "4.19.24",
  openShiftPullspec: "x",
  installerPullspec: "x",
  machineImages: {},
  enabled: true,
  default: true,
};
const version = { id: "4.19.24", partitionKey: "versions", openShiftVersion: { properties } };
await database.commit("versions", [create(versions, version)], { signal });
const frontend = await startFrontend({
  database,
  authorizer: acceptAll(),
  connectCluster: () => {
    throw new Error("no clusters run beside this benchmark");
  },
  azureChecks: { find: async () => [] },
  tls,
  host: "127.0.0.1",
  port: 0,
  location: "eastus",
  domain: "eastus.keelson.localhost",
  skipTokenKey: Buffer.alloc(32, 9),
  retryAfterSeconds: 30,
  buildId: "bench",
  clock: systemClock,
  // As in production, a line and some figures for each request.
  logger: createLogger({ level: "info", destination: openLogFile(`${directory}/log`, console.error) }),
  metrics: new Metrics(),
});
process.stdout.write(`${frontend.url}\n`);
process.once("SIGTERM", () => process.exit());
