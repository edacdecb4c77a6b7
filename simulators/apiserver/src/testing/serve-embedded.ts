/**
 * Keelson's API server in a separate process. It reads its settings from a line of stdin and prints its address. For each further
 * line of stdin, it prints event loop and memory measurements since the previous line. It exits when stdin ends.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import process from "node:process";
import { createInterface } from "node:readline";
import { type KeyPair, silentLogger, systemClock } from "@keelson/base";
import { startApiServer } from "../start-api-server.ts";

export interface ServeSettings {
  /** Path of the storage file. By default, the storage is in memory. */
  readonly file?: string | undefined;
  readonly tls: KeyPair;
  readonly clientAuthorityPem: string;
  /** Names of additional clusters besides `embedded`. */
  readonly more: readonly string[];
}

/** Measurements of the process. */
export interface ProcessReport {
  /** Delay of event loop timers in milliseconds. */
  readonly delayMs: { readonly p50: number; readonly p99: number; readonly max: number };
  /** Longest CPU time of one event loop turn in milliseconds. CPU usage of other processes does not affect it. */
  readonly burstMs: { readonly p50: number; readonly p99: number; readonly max: number };
  readonly rssBytes: number;
  readonly heapBytes: number;
}

const input = createInterface(process.stdin);
input.once("close", () => process.exit());
const lines = input[Symbol.asyncIterator]();
const { file, tls, clientAuthorityPem, more }: ServeSettings = JSON.parse((await lines.next()).value ?? "{}");
const began = performance.now();
const server = await startApiServer({
  host: "127.0.0.1",
  port: 0,
  tls,
  storage: file === undefined ? { kind: "memory" } : { kind: "file", path: file },
  logger: silentLogger,
  clock: systemClock,
});
const listeningAfterMs = performance.now() - began;
const cluster =
  server.findCluster("embedded") ??
  (await server.createCluster({ name: "embedded", clientCertificateAuthorities: [clientAuthorityPem] }));
const readyAfterMs = performance.now() - began;
const urls: string[] = [];
for (const name of more) {
  const made =
    server.findCluster(name) ??
    (await server.createCluster({ name, clientCertificateAuthorities: [clientAuthorityPem] }));
  urls.push(made.url);
}
process.stdout.write(
  `${JSON.stringify({ url: cluster.url, urls, listeningAfterMs, readyAfterMs, sinceProcessMs: performance.now() })}\n`,
);
process.on("SIGUSR2", () => void cluster.forgetHistory());
process.once("SIGTERM", async () => {
  await server[Symbol.asyncDispose]();
  process.exit();
});

const resolutionMs = 5;
const delay = monitorEventLoopDelay({ resolution: resolutionMs });
delay.enable();
let bursts: number[] = [];
let before = process.threadCpuUsage();
setInterval(() => {
  const now = process.threadCpuUsage();
  bursts.push((now.user + now.system - before.user - before.system) / 1_000);
  before = now;
}, resolutionMs).unref();
for (;;) {
  const { done } = await lines.next();
  if (done) break;
  const late = (nanos: number) => Math.max(0, nanos / 1e6 - resolutionMs);
  const { rss, heapUsed } = process.memoryUsage();
  const report: ProcessReport = {
    delayMs: { p50: late(delay.percentile(50)), p99: late(delay.percentile(99)), max: late(delay.max) },
    burstMs: shares(bursts),
    rssBytes: rss,
    heapBytes: heapUsed,
  };
  delay.reset();
  bursts = [];
  process.stdout.write(`${JSON.stringify(report)}\n`);
}

function shares(values: readonly number[]): ProcessReport["burstMs"] {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}
