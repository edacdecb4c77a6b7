import process from "node:process";
import { type SimulatedCluster, startSimulatedCluster } from "@keelson/admin-actions/testing";
import { createLogger, issueCertificate, systemClock } from "@keelson/base";
import { openStore } from "@keelson/cluster/testing";
import { connectKube, createKubeconfig, resources } from "@keelson/kube";
import type { ServiceDatabase } from "@keelson/model";
import { startPortal } from "@keelson/portal";
import { openSessionOn } from "../services/portal/src/testing/open-session-on.ts";
import { bothKubeconfigs, storeCluster } from "../services/portal/src/testing/store-cluster.ts";
import { figure, printTable } from "./support/table.ts";

const connections = 16;
const requestCount = 2_000;

/**
 * Compares the portal's kubeconfig proxy with a direct connection to the same simulated cluster. Sends sixteen concurrent
 * requests for small objects. Portal, cluster and client share one process, so the proxy is slower here than in a separate
 * process.
 */
export async function benchPortal(): Promise<void> {
  const signal = AbortSignal.timeout(600_000);
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await openStore());
  const cluster = stack.use(await startSimulatedCluster());
  const tls = await issueCertificate(undefined, {
    commonName: "localhost",
    dnsNames: ["localhost"],
    usage: "server",
    validDays: 1,
  });
  // Counts audit log lines because writing them is part of the measured work.
  let lines = 0;
  const destination = { write: () => void lines++ };
  const portal = stack.use(
    await startPortal({
      database,
      tls,
      host: "127.0.0.1",
      port: 0,
      longestUpgradeMs: 60_000,
      clock: systemClock,
      logger: createLogger({ level: "info", destination }),
    }),
  );
  const { id, token } = await storeSession(database, cluster);
  const proxied = createKubeconfig({
    server: `${portal.url}${id}/kubeconfig/proxy`,
    caPem: tls.certificatePem,
    clusterName: "cluster",
    userName: "user",
    token,
  });
  const rows = [["GET of a namespace", "requests/s", "p50 ms", "p99 ms"]];
  const kubeconfigs = { direct: cluster.kubeconfig, "through the portal": proxied };
  // Measures twice. The first run compiles code and opens connections.
  for (const isWarm of [false, true]) {
    for (const [name, kubeconfig] of Object.entries(kubeconfigs)) {
      const measured = await measure(kubeconfig, signal);
      if (isWarm) rows.push([name, ...measured.map(figure)]);
    }
  }
  printTable(rows);
  process.stdout.write(`${lines} lines of audit and log\n\n`);
}

async function storeSession(database: ServiceDatabase, cluster: SimulatedCluster) {
  const id = await storeCluster(database, bothKubeconfigs(cluster.kubeconfig));
  const portal = { username: "bench@example.com", kubeconfig: { elevated: true } };
  return { id, token: await openSessionOn(database, id, { portal }) };
}

/** Returns requests per second, and the median and 99th percentile of the latency in milliseconds. */
async function measure(kubeconfig: string, signal: AbortSignal): Promise<readonly number[]> {
  await using kube = connectKube({ kubeconfig, userAgent: "bench", fieldManager: "bench" });
  const times: number[] = [];
  const began = performance.now();
  let left = requestCount;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (left-- > 0) {
        const at = performance.now();
        await kube.get(resources.namespaces, { name: "default" }, signal);
        times.push(performance.now() - at);
      }
    }),
  );
  const seconds = (performance.now() - began) / 1_000;
  times.sort((a, b) => a - b);
  const quantile = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
  return [requestCount / seconds, quantile(0.5), quantile(0.99)];
}
