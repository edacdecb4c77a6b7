import { chownSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { type Clock, messageOf } from "@keelson/base";
import { cliErrors } from "../output/cli-errors.ts";
import {
  createDiagnosticsDirectory,
  diagnosticsDirectory,
  diagnosticsSignal,
  profileRequest,
} from "../process/diagnostics-signal.ts";

/** Number of the signal SIGUSR2 in the signal masks of `/proc`. */
const signalNumber = 12;
const limitMs = 60_000;
const pollMs = 200;

export interface DiagnosticsDeps {
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Sends the diagnostics signal to a service process and returns its diagnostics by file name. The process continues to serve.
 * @throws ProcessUnusable if the signal would terminate the process, or if the process writes no diagnostics within a minute
 */
export async function collectDiagnostics(
  pid: number,
  withProfile: boolean,
  { clock, signal }: DiagnosticsDeps,
): Promise<ReadonlyMap<string, string>> {
  requireHandler(pid);
  const { uid, gid } = statSync(`/proc/${pid}`);
  const directory = diagnosticsDirectory(pid, uid);
  createDiagnosticsDirectory(directory, uid);
  // Removes files of an earlier collection that was interrupted.
  for (const name of readdirSync(directory)) rmSync(join(directory, name));
  if (withProfile) writeFileSync(join(directory, profileRequest), "", { mode: 0o600 });
  // If root collects diagnostics, the directory must belong to the user of the process, so that the process can write to it.
  if (process.getuid?.() === 0) for (const each of [dirname(directory), directory]) chownSync(each, uid, gid);
  process.kill(pid, diagnosticsSignal);
  const names = ["heap.json", ...(withProfile ? ["cpu.cpuprofile"] : [])];
  const paths = names.map((name) => join(directory, name));
  for (let waitedMs = 0; !paths.every(existsSync); waitedMs += pollMs) {
    if (waitedMs >= limitMs)
      throw cliErrors.ProcessUnusable(
        `process ${pid} wrote no diagnostics within a minute: it may be blocked`,
      );
    await clock.sleep(pollMs, signal);
  }
  const files = new Map(names.map((name, at) => [name, readFileSync(paths[at] ?? "", "utf8")]));
  rmSync(directory, { recursive: true, force: true });
  return files;
}

/** Checks that the process handles the signal. Without a handler, the signal would terminate the process. */
function requireHandler(pid: number): void {
  let status: string;
  try {
    status = readFileSync(`/proc/${pid}/status`, "utf8");
  } catch (error) {
    throw cliErrors.ProcessUnusable(`process ${pid} cannot be examined: ${messageOf(error)}`);
  }
  const [, mask = "0"] = /^SigCgt:\s*([0-9a-f]+)$/m.exec(status) ?? [];
  if ((BigInt(`0x${mask}`) >> BigInt(signalNumber - 1)) & 1n) return;
  throw cliErrors.ProcessUnusable(
    `process ${pid} is no service process of this version. Name one with --pid.`,
  );
}
