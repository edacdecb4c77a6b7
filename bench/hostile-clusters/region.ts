import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { httpConnectTimeoutMs, Secret, silentLogger, systemClock } from "@keelson/base";
import { create } from "@keelson/database";
import { openServiceDatabase, readServiceConfig } from "@keelson/env";
import { type ClusterDocument, clusterKeys, withProperties } from "@keelson/model";
import { Agent } from "undici";
import { programInstallerKinds } from "../../cmd/keelson/src/configuration/installer-kinds.ts";
import {
  kubeconfigOf,
  type StandIn,
  standInDocument,
} from "../../services/monitor/src/testing/stand-ins/stand-in.ts";
import { Program } from "../../tests/e2e/support/program.ts";
import { createIn, startFleet } from "../support/fleet-world.ts";

/**
 * Script that starts Keelson from a checkout. For each role of the service, it sets the same environment variables as a
 * production machine.
 */
const launcher = new URL("../../keelson", import.meta.url).pathname;
const batch = 10;
const batchLimitMs = 3_600_000;

/** Running region: a service with three processes, a simulation process and the clusters. */
export type Region = Awaited<ReturnType<typeof startRegion>>;

/** Starts the service and creates clusters with these names. */
export async function startRegion(names: readonly string[]) {
  const stack = new AsyncDisposableStack();
  try {
    const fleet = stack.use(await startFleet([]));
    const { client, configFile, databaseUrl } = fleet;
    for (let first = 0; first < names.length; first += batch) {
      const some = names.slice(first, first + batch);
      for (const name of some) await fleet.makeNetwork(name);
      await settled(client, await Promise.all(some.map((name) => createIn(client, name))));
    }
    const config = ["--config", configFile, "--database", databaseUrl, "--log-level", "warn"];
    const start = async (role: string, ...flags: string[]) => {
      const program = stack.use(
        Program.startCommand(launcher, role, ...config, ...flags, "--metrics-port", "0"),
      );
      return { program, place: JSON.parse(await program.says(/"metrics"/)) };
    };
    const monitor = await start("monitor");
    const portal = await start("portal", "--port", "0", "--ssh-port", "0");
    const { portal: settings, azure } = readServiceConfig(configFile, {}, programInstallerKinds);
    const groups = settings?.signIn?.groups.access.join(",") ?? "";
    const { stdout: cookie } = await Program.run(
      "portalauth",
      "--config",
      configFile,
      "--username",
      "bench",
      "--groups",
      groups,
    );
    const portalAgent = new Agent({
      connect: { timeout: httpConnectTimeoutMs, ca: readFileSync(azure.caFile ?? "", "utf8") },
    });
    stack.defer(() => portalAgent.destroy());
    return {
      client,
      configFile,
      databaseUrl,
      portalOrigin: `https://localhost:${portal.place.https}`,
      cookie: cookie.trim(),
      portalAgent,
      /** Metrics URLs. The monitor's URL is first. */
      metrics: [monitor.place, portal.place, JSON.parse(fleet.program.stdout)].map(({ metrics }) =>
        String(metrics),
      ),
      processes: [
        { name: "service", pid: fleet.program.child.pid ?? 0 },
        { name: "monitor", pid: monitor.program.child.pid ?? 0 },
        { name: "portal", pid: portal.program.child.pid ?? 0 },
      ],
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}

/** Waits until the accepted operations have completed. @throws Error if an operation was rejected or failed */
export async function settled(
  client: Region["client"],
  accepted: readonly Awaited<ReturnType<Region["client"]["call"]>>[],
): Promise<void> {
  for (const { status, body, headers } of accepted) {
    if (status >= 300) throw new Error(JSON.stringify(body));
    const operation = await client.settle(headers["azure-asyncoperation"], batchLimitMs);
    if (operation.status !== "Succeeded") throw new Error(JSON.stringify(operation));
  }
}

/** Stores cluster documents that refer to these servers. Returns their resource IDs. */
export async function addClusters(
  { configFile, databaseUrl, client }: Region,
  servers: readonly StandIn[],
  count: number,
): Promise<readonly string[]> {
  const signal = AbortSignal.timeout(60_000);
  const database = { kind: "postgres", url: databaseUrl } as const;
  const config = readServiceConfig(configFile, { database }, programInstallerKinds);
  await using opened = await openServiceDatabase(config, {
    clock: systemClock,
    logger: silentLogger,
    signal,
  });
  const { collections } = opened.database;
  const ids: string[] = [];
  for (let at = 0; at < count; at++) {
    const server = servers[at % servers.length];
    if (!server) throw new Error("there are no hostile servers");
    const document = hostileDocument(server, at, client.subscriptionId);
    const write = create(collections.clusters, document);
    const { kind } = await opened.database.commit(client.subscriptionId, [write], { signal });
    if (kind !== "committed") throw new Error(`a hostile cluster was not stored: ${kind}`);
    ids.push(document.openShiftCluster.id);
  }
  return ids;
}

/**
 * Returns a hostile cluster's document. The document contains the SRE kubeconfig, because the portal connects with this
 * kubeconfig.
 */
function hostileDocument(server: StandIn, at: number, subscriptionId: string): ClusterDocument {
  const document = standInDocument(server, at, subscriptionId, (at * 50) % 256);
  const aroSREKubeconfig = new Secret(kubeconfigOf(server, at));
  const openShiftCluster = withProperties(document.openShiftCluster, { aroSREKubeconfig });
  return { ...document, ...clusterKeys(openShiftCluster), id: randomUUID(), openShiftCluster };
}
