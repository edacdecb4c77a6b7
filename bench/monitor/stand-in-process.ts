/**
 * Runs stand-in clusters in a separate process. Prints the clusters' URL and credentials. For each line of standard input, prints
 * the clusters' request counts.
 */
import process from "node:process";
import { createInterface } from "node:readline";
import { startStandInClusters } from "../../services/monitor/src/testing/stand-ins/stand-in-clusters.ts";

async function main(): Promise<void> {
  await using standIns = await startStandInClusters();
  const { url, caPem, clientCertificatePem, clientKeyPem } = standIns;
  process.stdout.write(`${JSON.stringify({ url, caPem, clientCertificatePem, clientKeyPem })}\n`);
  for await (const _line of createInterface({ input: process.stdin }))
    process.stdout.write(`${JSON.stringify(standIns.counts())}\n`);
}

if (import.meta.main) await main();
