/** The real frontend on the embedded database, without workers, in a process of its own. Prints its URL. */
import process from "node:process";
import { silentLogger, systemClock } from "@keelson/base";
import { create, createKeyring, openDatabase, pgliteDriver } from "@keelson/database";
import { acceptAll, startFrontend } from "@keelson/frontend";
import { definitions } from "@keelson/model";
import { readServer } from "./server-settings.ts";

const { tls, directory, subscriptionId } = readServer();
const signal = new AbortController().signal;
const database = await openDatabase({
  driver: pgliteDriver({ dataDir: `${directory}/database` }),
  definitions,
  keyring: createKeyring({ current: "bench", keys: { bench: Buffer.alloc(32, 7) } }),
  logger: silentLogger,
  signal,
});
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
  enabled: true,
  default: true,
};
const version = { id: "4.19.24", partitionKey: "versions", openShiftVersion: { properties } };
await database.commit("versions", [create(versions, version)], { signal });
const frontend = await startFrontend({
  database,
  authorizer: acceptAll(),
  tls,
  host: "127.0.0.1",
  port: 0,
  location: "eastus",
  domain: "eastus.keelson.localhost",
  skipTokenKey: Buffer.alloc(32, 9),
  retryAfterSeconds: 30,
  buildId: "bench",
  clock: systemClock,
  logger: silentLogger,
});
process.stdout.write(`${frontend.url}\n`);
