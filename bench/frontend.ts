import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createCertificateAuthority, issueCertificate } from "@keelson/base";
import { Agent, request } from "undici";
import { exampleRequest, variablesFor } from "../e2e/support/cluster-request.ts";
import { applyLoad, type Load, type Request } from "./load.ts";
import { figure, printTable } from "./table.ts";

const connections = 16;
const clusters = 50;
const query = "?api-version=2025-07-25";

/** GET, LIST and PUT of clusters over HTTPS, each beside a bare fastify handler that answers the same bytes. */
export async function benchFrontend(): Promise<void> {
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
  writeFileSync(`${directory}/server.json`, JSON.stringify({ tls, subscriptionId }));
  const agent = new Agent({ connect: { ca: caPem } });
  const servers: ChildProcess[] = [];
  try {
    const rp = await start("frontend-server.ts", directory, servers);
    const path = (name: string) =>
      `${rp}/subscriptions/${subscriptionId}/resourceGroups/${name}/providers/Microsoft.RedHatOpenShift/openShiftClusters/${name}${query}`;
    const put = (n: number): Request => {
      const name = `bench${n}`;
      const body = JSON.stringify(exampleRequest("20250725", variablesFor(name, subscriptionId)));
      return { method: "PUT", url: path(name), body };
    };
    let made = 0;
    const answers = { put: "", get: "", list: "" };
    while (made < clusters) answers.put = await fetchText(agent, put(made++));
    const get: Request = { method: "GET", url: path("bench7") };
    const list: Request = {
      method: "GET",
      url: `${rp}/subscriptions/${subscriptionId}/providers/Microsoft.RedHatOpenShift/openShiftClusters${query}`,
    };
    answers.get = await fetchText(agent, get);
    answers.list = await fetchText(agent, list);
    for (const [name, bytes] of Object.entries(answers)) writeFileSync(`${directory}/${name}.json`, bytes);
    const bare = await start("bare-server.ts", directory, servers);
    const load = (next: (n: number) => Request) =>
      applyLoad({ caPem, connections, warmupMs: 1_000, durationMs: 4_000, next });
    const rows: [string, Load, Load][] = [];
    const bareOf = (kind: string, method: "GET" | "PUT", body?: string) =>
      load(() => ({ method, url: `${bare}/${kind}`, ...(body ? { body } : {}) }));
    rows.push(["GET cluster", await load(() => get), await bareOf("get", "GET")]);
    rows.push(["LIST 10 of many", await load(() => list), await bareOf("list", "GET")]);
    rows.push(["PUT new cluster", await load(() => put(made++)), await bareOf("put", "PUT", put(0).body)]);
    const head = [
      "ARM API, HTTPS, 16 connections",
      "req/s",
      "p50 ms",
      "p99 ms",
      "bare req/s",
      "bare p50",
      "bare p99",
      "ratio",
    ];
    printTable([head, ...rows.map(([name, ours, theirs]) => row(name, ours, theirs))]);
  } finally {
    for (const server of servers) server.kill("SIGKILL");
    await agent.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

function row(name: string, ours: Load, theirs: Load): string[] {
  const cells = (load: Load) => [figure(load.requestsPerSecond), figure(load.p50Ms), figure(load.p99Ms)];
  return [name, ...cells(ours), ...cells(theirs), figure(ours.requestsPerSecond / theirs.requestsPerSecond)];
}

async function start(script: string, directory: string, servers: ChildProcess[]): Promise<string> {
  const path = new URL(script, import.meta.url).pathname;
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", path, directory], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  servers.push(child);
  const [line] = await Promise.race([
    once(child.stdout, "data"),
    once(child, "exit").then(() => Promise.reject(new Error(`${script} ended early`))),
  ]);
  return String(line).trim();
}

async function fetchText(agent: Agent, { method, url, body }: Request): Promise<string> {
  const answer = await request(url, {
    method,
    dispatcher: agent,
    ...(body ? { body, headers: { "content-type": "application/json" } } : {}),
  });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`${method} ${url} answered ${answer.statusCode}: ${text}`);
  return text;
}
