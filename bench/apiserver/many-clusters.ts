/** Creates 1,000 logical clusters in one process and prints the cost per cluster. Requires --expose-gc. */
import process from "node:process";
import { startApiServer } from "@keelson/apiserver";
import { createCertificateAuthority, issueCertificate, silentLogger, systemClock } from "@keelson/base";

export interface ManyClusters {
  readonly createMs: number;
  /** Live heap and buffers in kilobytes. */
  readonly kilobytes: number;
  /** Resident set size in kilobytes, including unused memory of the allocator. */
  readonly residentKilobytes: number;
}

const clusters = 1_000;
const authority = await createCertificateAuthority("bench", 1);
await using server = await startApiServer({
  host: "127.0.0.1",
  port: 0,
  tls: await issueCertificate(authority, { commonName: "localhost", usage: "server", validDays: 1 }),
  storage: { kind: "memory" },
  logger: silentLogger,
  clock: systemClock,
});
const create = (name: string) =>
  server.createCluster({ name, clientCertificateAuthorities: [authority.certificatePem] });
// The first cluster allocates the state that all clusters share.
await create("first");
const before = await settledMemory();
const began = performance.now();
for (let at = 0; at < clusters; at++) await create(`c${at}`);
const createMs = (performance.now() - began) / clusters;
const after = await settledMemory();
const result: ManyClusters = {
  createMs,
  kilobytes: (after.live - before.live) / clusters / 1_024,
  residentKilobytes: (after.resident - before.resident) / clusters / 1_024,
};
process.stdout.write(`${JSON.stringify(result)}\n`);

async function settledMemory(): Promise<{ readonly live: number; readonly resident: number }> {
  for (let round = 0; round < 4; round++) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    global.gc?.();
  }
  const { heapUsed, arrayBuffers, rss } = process.memoryUsage();
  return { live: heapUsed + arrayBuffers, resident: rss };
}
