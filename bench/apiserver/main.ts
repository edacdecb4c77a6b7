/**
 * `node bench/apiserver/main.ts`: measures the project's API server. Also measures kube-apiserver with etcd if
 * `KUBEBUILDER_ASSETS` is a directory with both programs.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { startControlPlane, startEmbeddedProcess } from "@keelson/apiserver/testing";
import { figure, printTable } from "../support/table.ts";
import type { ManyClusters } from "./many-clusters.ts";
import { type Figures, measure } from "./measure.ts";

const run = promisify(execFile);

/**
 * Prints one row per metric. The columns are: the project's server in memory, the same server with a file, kube-apiserver, and
 * the advantage. The advantage compares the server with a file to kube-apiserver.
 */
export async function benchApiServer(assets = process.env.KUBEBUILDER_ASSETS): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "keelson-bench-"));
  try {
    const memory = await measureOurs(directory, undefined);
    const durable = await measureOurs(directory, join(directory, "bench.db"));
    const real = assets ? await measureReal(assets) : undefined;
    const head = ["API server, HTTPS, 16 connections", "in memory", "on disk"];
    const rows = [...durable].map(([name, onDisk]) => {
      const ours = [name, figure(memory.get(name) ?? Number.NaN), figure(onDisk)];
      const theirs = real?.get(name);
      if (!real) return ours;
      return theirs === undefined
        ? [...ours, "", ""]
        : [...ours, figure(theirs), advantage(name, onDisk, theirs)];
    });
    printTable([real ? [...head, "kube-apiserver", "ahead by"] : head, ...rows]);
    const many = await manyClusters();
    printTable([
      ["1,000 logical clusters in one process", "figure", "unit"],
      ["creation of one", figure(many.createMs), "ms"],
      ["memory of an idle one, live", figure(many.kilobytes / 1_024), "MB"],
      ["memory of an idle one, resident", figure(many.residentKilobytes / 1_024), "MB"],
    ]);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Formats the advantage over kube-apiserver as a factor. For rates, higher is better. For other metrics, lower is better. */
function advantage(name: string, ours: number, theirs: number): string {
  return figure(name.endsWith("1/s") ? ours / theirs : theirs / ours);
}

async function measureOurs(directory: string, file: string | undefined): Promise<Figures> {
  const environment = { NODE_COMPILE_CACHE: join(directory, "compiled") };
  // The first start is not measured. It only fills Node's compile cache.
  await (await startEmbeddedProcess({ environment }))[Symbol.asyncDispose]();
  await using plane = await startEmbeddedProcess({ environment, file: file || undefined });
  const figures = await measure(plane, [plane.processId]);
  return new Map([
    ["ready after its start was called, ms", plane.readyAfterMs],
    ["ready after its process was started, ms", plane.sinceProcessMs],
    ...figures,
  ]);
}

async function measureReal(assets: string): Promise<Figures> {
  await using plane = await startControlPlane(assets);
  const { etcd, apiserver } = plane.processIds;
  const figures = await measure(plane, [etcd, apiserver]);
  return new Map([["ready after its process was started, ms", plane.readyAfterMs], ...figures]);
}

async function manyClusters(): Promise<ManyClusters> {
  const script = new URL("many-clusters.ts", import.meta.url).pathname;
  const { stdout } = await run(process.execPath, [
    "--disable-warning=ExperimentalWarning",
    "--expose-gc",
    script,
  ]);
  const result: ManyClusters = JSON.parse(stdout);
  return result;
}

if (import.meta.main) await benchApiServer();
