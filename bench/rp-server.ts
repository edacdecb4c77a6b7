/** Runs the real frontend without workers, in one process or in several processes with a shared port. Prints its URL. */
import cluster from "node:cluster";
import { once } from "node:events";
import process from "node:process";
import { acceptAll } from "@keelson/auth";
import { createLogger, Metrics, openLogFile, systemClock } from "@keelson/base";
import { create, postgresDriver } from "@keelson/database";
import { startFrontend } from "@keelson/frontend";
import { openBenchDatabase } from "./support/open-database.ts";
import { readServer } from "./support/server-settings.ts";

const count = Number(process.argv[3] ?? 1);
process.once("SIGTERM", () => process.exit());
if (count > 1 && cluster.isPrimary) {
  // Starts the processes one after the other. The first process creates the documents and selects the port.
  const urls: string[] = [];
  for (let at = 0; at < count; at++) {
    const [url]: string[] = await once(cluster.fork(), "message");
    urls.push(url ?? "");
  }
  process.stdout.write(`${urls[0]}\n`);
} else {
  const url = await serve();
  if (process.send) process.send(url);
  else process.stdout.write(`${url}\n`);
}

async function serve(): Promise<string> {
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
  // Both documents already exist in every process except the first. The commits then change nothing.
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
    skipTokenKeys: [Buffer.alloc(32, 9)],
    retryAfterSeconds: 30,
    buildId: "bench",
    clock: systemClock,
    // Writes log lines and metrics for each request, like in production.
    logger: createLogger({ level: "info", destination: openLogFile(`${directory}/log`, console.error) }),
    metrics: new Metrics(),
  });
  return frontend.url;
}
