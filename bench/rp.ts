import type { ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createCertificateAuthority, issueCertificate, spawnBound } from "@keelson/base";
import { startPostgres } from "@keelson/database/testing";
import { Agent, request } from "undici";
import { exampleRequest, variablesFor } from "../tests/e2e/support/cluster-request.ts";
import { cpuMsOf } from "./support/cpu-time.ts";
import type { Request } from "./support/http1-connection.ts";
import { applyLoad, type Load } from "./support/load.ts";
import type { BenchOption } from "./support/options.ts";
import { figure, printTable } from "./support/table.ts";

/** Numbers of concurrent connections: few clients and many clients. */
const connectionCounts = [16, 64];
const clusters = 50;
const query = "?api-version=2025-07-25";

export const rpOptions = {
  processes: { value: "N", help: "number of service processes that share the port", least: 1, initial: "1" },
  only: {
    value: "TEXT",
    help: "measure only rows with this string in their name, for example GET",
    initial: "",
  },
} satisfies Record<string, BenchOption>;

/**
 * Measures GET, LIST and PUT requests for clusters over HTTPS with PostgreSQL. Compares each kind of request with a simple
 * fastify handler that returns the same bytes.
 */
export async function benchRp(given: Readonly<Record<string, string>>): Promise<void> {
  const { processes, only } = { processes: rpOptions.processes.initial, only: "", ...given };
  await using postgres = await startPostgres();
  const databaseUrl = await postgres.createDatabase();
  const [postmaster = ""] = readFileSync(join(postgres.dataDirectory, "postmaster.pid"), "utf8").split("\n");
  const directory = mkdtempSync(join(tmpdir(), "keelson-bench-"));
  const subscriptionId = randomUUID();
  const authority = await createCertificateAuthority("bench", 1);
  const caPem = authority.certificatePem;
  const tls = await issueCertificate(authority, {
    commonName: "localhost",
    dnsNames: ["localhost"],
    ipAddresses: ["127.0.0.1"],
    usage: "server",
    validDays: 1,
  });
  writeFileSync(`${directory}/server.json`, JSON.stringify({ tls, subscriptionId, databaseUrl }));
  const agent = new Agent({ connect: { ca: caPem } });
  const servers: ChildProcess[] = [];
  try {
    const rp = await start("rp-server.ts", [directory, processes], servers);
    const path = (name: string) =>
      `${rp.url}/subscriptions/${subscriptionId}/resourceGroups/${name}/providers/Microsoft.RedHatOpenShift/openShiftClusters/${name}${query}`;
    const put = (n: number): Request => {
      const name = `bench${n}`;
      const body = JSON.stringify(exampleRequest("20250725", variablesFor(name, subscriptionId)));
      return { method: "PUT", url: path(name), body };
    };
    let made = 0;
    const responses = { put: "", get: "", list: "" };
    while (made < clusters) responses.put = await fetchText(agent, put(made++));
    const get: Request = { method: "GET", url: path("bench7") };
    let asked = 0;
    const anyGet = (): Request => ({ method: "GET", url: path(`bench${asked++ % clusters}`) });
    const list: Request = {
      method: "GET",
      url: `${rp.url}/subscriptions/${subscriptionId}/providers/Microsoft.RedHatOpenShift/openShiftClusters${query}`,
    };
    responses.get = await fetchText(agent, get);
    responses.list = await fetchText(agent, list);
    for (const [name, bytes] of Object.entries(responses)) writeFileSync(`${directory}/${name}.json`, bytes);
    const bare = await start("bare-server.ts", [directory], servers);
    const load = (origin: string, connections: number, next: (n: number) => Request) =>
      applyLoad({
        origin,
        caPem,
        connections,
        warmupMs: 2_000,
        durationMs: 4_000,
        next,
      });
    const oursOf = async (connections: number, next: () => Request): Promise<Ours> => {
      const cpu = () => [
        cpuMsOf(rp.pid, { children: true }),
        cpuMsOf(Number(postmaster), { children: true }),
      ];
      const [server = 0, database = 0] = cpu();
      const measured = await load(rp.url, connections, next);
      const [serverAfter = 0, databaseAfter = 0] = cpu();
      return {
        ...measured,
        serverCpuUs: ((serverAfter - server) / measured.sent) * 1000,
        databaseCpuUs: ((databaseAfter - database) / measured.sent) * 1000,
      };
    };
    const requests = {
      "GET cluster": { next: () => get, bare: { method: "GET", url: `${bare.url}/get` } },
      "GET 50 clusters in turn": { next: anyGet, bare: { method: "GET", url: `${bare.url}/get` } },
      "LIST 10 of many": { next: () => list, bare: { method: "GET", url: `${bare.url}/list` } },
      "PUT new cluster": {
        next: () => put(made++),
        bare: { ...put(0), url: `${bare.url}/put` },
      },
    } satisfies Record<string, { next: () => Request; bare: Request }>;
    const rows: string[][] = [];
    for (const [name, { next, bare: same }] of Object.entries(requests)) {
      if (!name.includes(only)) continue;
      for (const connections of connectionCounts) {
        const ours = await oursOf(connections, next);
        rows.push(
          row(`${name}, ${connections} connections`, ours, await load(bare.url, connections, () => same)),
        );
      }
    }
    printTable([["ARM API on PostgreSQL, HTTPS", ...head], ...rows]);
  } finally {
    for (const server of servers) {
      if (server.exitCode === null && server.kill("SIGTERM")) await once(server, "exit");
    }
    await agent.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

interface Ours extends Load {
  readonly serverCpuUs: number;
  readonly databaseCpuUs: number;
}

const head = [
  "req/s",
  "p50 ms",
  "p99 ms",
  "CPU us/req",
  "database us/req",
  "bare req/s",
  "bare p50",
  "bare p99",
  "ratio",
];

function row(name: string, ours: Ours, theirs: Load): string[] {
  const cells = (load: Load) => [figure(load.requestsPerSecond), figure(load.p50Ms), figure(load.p99Ms)];
  const cpu = [ours.serverCpuUs, ours.databaseCpuUs].map(figure);
  const ratio = figure(ours.requestsPerSecond / theirs.requestsPerSecond);
  return [name, ...cells(ours), ...cpu, ...cells(theirs), ratio];
}

interface Server {
  readonly url: string;
  readonly pid: number;
}

async function start(script: string, args: readonly string[], servers: ChildProcess[]): Promise<Server> {
  const path = new URL(script, import.meta.url).pathname;
  // `PROFILE=DIR` writes a CPU profile of the server to this directory, for Chromium's developer tools.
  const { PROFILE } = process.env;
  const profile = PROFILE && !script.startsWith("bare") ? ["--cpu-prof", `--cpu-prof-dir=${PROFILE}`] : [];
  const child = spawnBound(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", ...profile, path, ...args],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  servers.push(child);
  if (!child.stdout) throw new Error(`${script} has no standard output`);
  const [line] = await Promise.race([
    once(child.stdout, "data"),
    once(child, "exit").then(() => Promise.reject(new Error(`${script} ended early`))),
  ]);
  return { url: String(line).trim(), pid: child.pid ?? 0 };
}

async function fetchText(agent: Agent, { method, url, body }: Request): Promise<string> {
  const response = await request(url, {
    method,
    dispatcher: agent,
    ...(body ? { body, headers: { "content-type": "application/json" } } : {}),
  });
  const text = await response.body.text();
  if (response.statusCode >= 300)
    throw new Error(`${method} ${url} returned status ${response.statusCode}: ${text}`);
  return text;
}
