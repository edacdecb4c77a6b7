/**
 * Our own server in a process of its own. Reads its settings as one line of stdin, and says in one line where it
 * listens. It ends when stdin does: it does not outlive who started it.
 */
import process from "node:process";
import { createInterface } from "node:readline";
import { type KeyPair, silentLogger, systemClock } from "@keelson/base";
import { startApiServer } from "../start-api-server.ts";

export interface ServeSettings {
  /** In memory when absent. */
  readonly file?: string;
  readonly tls: KeyPair;
  readonly clientAuthorityPem: string;
}

const input = createInterface(process.stdin);
input.once("close", () => process.exit());
const { file, tls, clientAuthorityPem }: ServeSettings = JSON.parse(
  (await input[Symbol.asyncIterator]().next()).value ?? "{}",
);
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
process.stdout.write(
  `${JSON.stringify({ url: cluster.url, listeningAfterMs, readyAfterMs, sinceProcessMs: performance.now() })}\n`,
);
process.on("SIGUSR2", () => void cluster.forgetHistory());
process.once("SIGTERM", async () => {
  await server[Symbol.asyncDispose]();
  process.exit();
});
