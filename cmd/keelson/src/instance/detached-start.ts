import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import process from "node:process";
import type { StopReason } from "@keelson/base";
import type { UpFlags } from "../options/options.ts";
import { cliErrors } from "../output/cli-errors.ts";
import { paceText } from "../state/pace.ts";
import { portNames } from "../state/ports.ts";
import { unusable } from "../state/unusable.ts";

/** Message from the background process to the process that started it. */
export type DetachedMessage = "up" | { readonly progress: string } | { readonly failure: string };

/** True if a parent process started this process in the background and waits until this process is ready. */
export function hasStarter(): boolean {
  return process.connected === true;
}

/** Sends a message to the parent process, if a parent waits for this start. */
export function notifyStarter(message: DetachedMessage): void {
  // Errors are ignored, because the parent process may already have exited.
  if (hasStarter()) process.send?.(message, undefined, undefined, () => undefined);
}

export interface DetachedOptions {
  readonly log: string;
  /** Called with each progress message of the start. */
  readonly report: (text: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Starts `up --no-cluster` as a background process and returns the process ID once the process is serving. Throws the error of a
 * failed start. An abort of the signal stops the process. The standard error of the process goes to the log file and contains
 * only fatal errors.
 */
export async function runDetached(flags: UpFlags, { log, report, signal }: DetachedOptions): Promise<number> {
  const out = openLog(flags.state, log);
  const script = process.argv[1] ?? "";
  const child = spawn(process.execPath, [...process.execArgv, script, ...argumentsOf(flags)], {
    detached: true,
    stdio: ["ignore", "ignore", out, "ipc"],
  });
  closeSync(out);
  const stop = () => child.kill("SIGTERM");
  signal.addEventListener("abort", stop, { once: true });
  try {
    await new Promise<void>((resolve, reject) => {
      let failure: string | undefined;
      child.once("error", reject);
      child.on("message", (message: DetachedMessage) => {
        if (message === "up") resolve();
        else if ("progress" in message) report(message.progress);
        else failure = message.failure;
      });
      child.once("exit", (code, killer) => {
        if (signal.aborted) reject("draining" satisfies StopReason);
        const how = `ended with ${killer ?? `exit code ${code}`}, see ${log}`;
        reject(cliErrors.NotRunning(failure ?? how));
      });
    });
  } finally {
    signal.removeEventListener("abort", stop);
  }
  child.disconnect();
  child.unref();
  return child.pid ?? 0;
}

function openLog(directory: string, log: string): number {
  try {
    mkdirSync(dirname(log), { recursive: true, mode: 0o700 });
    return openSync(log, "a", 0o600);
  } catch (error) {
    throw unusable(directory, error);
  }
}

/** Returns the command-line arguments of the background process for these flags of `up`. Exported for tests. */
export function argumentsOf(flags: Omit<UpFlags, "output">): string[] {
  const ports = portNames.flatMap((name) => {
    const port = flags[`${name}Port`];
    return port === undefined ? [] : [`--${name}-port`, String(port)];
  });
  const subnetsFor = flags.cluster ? [flags.cluster, ...flags.subnetsFor] : flags.subnetsFor;
  return [
    "up",
    "--state",
    flags.state,
    "--no-cluster",
    ...subnetsFor.flatMap((name) => ["--subnets-for", name]),
    "--operators",
    flags.operators,
    "--unknown-programs",
    flags.unknownPrograms,
    ...(flags.hive === undefined ? [] : ["--hive", flags.hive]),
    ...(flags.aroInstaller === undefined ? [] : ["--aro-installer", flags.aroInstaller]),
    ...flags.runImage.flatMap(({ prefix, command }) => ["--run-image", `${prefix}=${command}`]),
    ...flags.runImageFor.flatMap((each) => [
      "--run-image-for",
      `${each.namespace}/${each.kind}/${each.name}`,
    ]),
    ...(flags.clusterAddresses ? ["--cluster-addresses"] : []),
    ...(flags.pace ? ["--pace", paceText(flags.pace)] : []),
    ...(flags.clusterProcesses === undefined ? [] : ["--cluster-processes", String(flags.clusterProcesses)]),
    ...(flags.seed === undefined ? [] : ["--seed", String(flags.seed)]),
    ...flags.without.flatMap((role) => ["--without", role]),
    ...(flags.publish ? ["--publish"] : []),
    ...(flags.governance === undefined ? [] : ["--governance", flags.governance]),
    "--log-level",
    flags.logLevel,
    ...(flags.ports ? ["--ports", flags.ports] : []),
    ...ports,
  ];
}
