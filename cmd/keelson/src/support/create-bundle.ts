import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { arch, cpus, freemem, release, totalmem } from "node:os";
import { basename } from "node:path";
import process from "node:process";
import { type Clock, messageOf, withTimeout } from "@keelson/base";
import { fieldRows, readObject, serviceConfigJsonSchema } from "@keelson/env";
import { request } from "undici";
import { programInstallerKinds } from "../configuration/installer-kinds.ts";
import { examineInstallation } from "../doctor/run-doctor.ts";
import type { ConfigFlags } from "../options/service-flags.ts";
import { buildVersion } from "../process/build-version.ts";
import { collectDiagnostics } from "./collect-diagnostics.ts";
import { redactConfig, redactText } from "./redact-config.ts";

export interface BundleOptions {
  readonly configFile: string;
  /** Flags of `keelson doctor`. */
  readonly flags: ConfigFlags;
  /** Log files. The bundle contains the last lines of each. */
  readonly logs: readonly string[];
  readonly metricsUrls: readonly string[];
  /** IDs of the service processes from which heap statistics and CPU profiles are collected. */
  readonly pids: readonly number[];
  /** True to record a CPU profile of 30 s in each process. */
  readonly withProfile: boolean;
  readonly report: (text: string) => void;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const maxLogBytes = 4 * 1024 * 1024;
const maxMetricsBytes = 16 * 1024 * 1024;
const metricsLimitMs = 10_000;

/** Collects the files of a support bundle. Each failed item becomes a line in `problems.txt`. */
export async function createBundle(options: BundleOptions): Promise<ReadonlyMap<string, string>> {
  const { configFile, flags, logs, metricsUrls, pids, withProfile, report, clock, signal } = options;
  const files = new Map<string, string>();
  const problems: string[] = [];
  const attempt = async (what: string, work: () => Promise<void> | void) => {
    report(what);
    try {
      await work();
    } catch (error) {
      signal.throwIfAborted();
      problems.push(`${what}: ${messageOf(error)}`);
    }
  };
  let secrets: readonly string[] = [];
  const put = (name: string, text: string) => void files.set(name, redactText(text, secrets));

  await attempt("configuration", () => {
    const fields = fieldRows(serviceConfigJsonSchema(programInstallerKinds));
    const redacted = redactConfig(readObject(configFile), fields);
    secrets = redacted.secrets;
    put("config.json", JSON.stringify(redacted.config, null, 2));
  });
  put("versions.json", JSON.stringify(versions(), null, 2));
  await attempt("doctor", async () => {
    put("doctor.json", JSON.stringify(await examineInstallation(flags, { clock, signal }), null, 2));
  });
  for (const [at, path] of logs.entries()) {
    const name = `logs/${basename(path)}`;
    // Log files in different directories can have the same name, so the names in the bundle must be made unique.
    await attempt(`log ${path}`, () =>
      put(files.has(name) ? `logs/${at}-${basename(path)}` : name, endOf(path)),
    );
  }
  for (const [at, url] of metricsUrls.entries())
    await attempt(`metrics ${url}`, async () => put(`metrics-${at}.txt`, await readMetrics(url, signal)));
  for (const pid of pids) {
    await attempt(`process ${pid}${withProfile ? ", 30 s" : ""}`, async () => {
      for (const [name, text] of await collectDiagnostics(pid, withProfile, { clock, signal }))
        put(`process-${pid}/${name}`, text);
    });
  }
  if (problems.length > 0) put("problems.txt", `${problems.join("\n")}\n`);
  return files;
}

function versions(): object {
  return {
    keelson: buildVersion(),
    node: process.versions,
    kernel: release(),
    arch: arch(),
    processors: cpus().length,
    memoryBytes: { total: totalmem(), free: freemem() },
    at: new Date().toISOString(),
  };
}

function endOf(path: string): string {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const length = Math.min(size, maxLogBytes);
    const bytes = Buffer.alloc(length);
    const read = readSync(file, bytes, 0, length, size - length);
    return bytes.subarray(0, read).toString("utf8");
  } finally {
    closeSync(file);
  }
}

async function readMetrics(url: string, signal: AbortSignal): Promise<string> {
  const limit = withTimeout(signal, metricsLimitMs);
  const { statusCode, body } = await request(url, { signal: limit });
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxMetricsBytes) throw new Error(`more than ${maxMetricsBytes} bytes`);
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString("utf8");
  if (statusCode !== 200) throw new Error(`status ${statusCode}: ${text.slice(0, 200)}`);
  return text;
}
