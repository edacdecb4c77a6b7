import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { Clock } from "@keelson/base";
import type { ContainerRun } from "./container-run.ts";
import { endingOf, RunOutput } from "./run-output.ts";

export interface ProcessRunOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** All of it: nothing of this program's own environment is passed on but `PATH`. */
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly clock: Clock;
  readonly stdin: boolean;
  readonly hostPorts: ReadonlyMap<number, number>;
}

/** Lets the kernel kill a process when its parent dies, even by SIGKILL (util-linux, Linux only). */
const deathSignal = ["/usr/bin/setpriv", "/bin/setpriv"].find((path) => existsSync(path));

/** Starts a process that ends with this one. Where `setpriv` is missing it outlives a parent that is killed. */
export function spawnBound(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  return deathSignal
    ? spawn(deathSignal, ["--pdeathsig", "KILL", "--", command, ...args], options)
    : spawn(command, args, options);
}

/** Runs a container as a real process of this machine. */
export function processRun(options: ProcessRunOptions): ContainerRun {
  const { folder, stdin, hostPorts } = options;
  const output = new RunOutput(options.clock);
  const child = spawnBound(options.command, options.args, {
    cwd: folder,
    env: { PATH: process.env.PATH, ...options.env },
    stdio: [stdin ? "pipe" : "ignore", "pipe", "pipe"],
  });
  for (const stream of ["stdout", "stderr"] as const)
    child[stream]?.on("data", (chunk: Buffer) => output.write(stream, chunk));
  child.stdin?.on("error", () => undefined);
  let kill: NodeJS.Timeout | undefined;
  child.once("error", (error) => {
    clearTimeout(kill);
    output.end({ exitCode: 128, reason: "StartError", message: error.message });
  });
  child.once("close", (code, signal) => {
    clearTimeout(kill);
    output.end(endingOf(code ?? (signal === "SIGKILL" ? 137 : 143)));
  });
  return output.run({
    input: child.stdin ?? undefined,
    stop(graceMs) {
      child.kill(graceMs > 0 ? "SIGTERM" : "SIGKILL");
      kill ??= setTimeout(() => child.kill("SIGKILL"), graceMs);
    },
    hostPorts,
  });
}
