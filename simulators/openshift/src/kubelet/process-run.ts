import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { Clock } from "@keelson/base";
import type { ContainerRun, Ending } from "./container-run.ts";
import { LogBuffer } from "./log-buffer.ts";

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

/** Runs a container as a real process of this machine. Where `setpriv` is missing it outlives a parent that is killed. */
export function processRun(options: ProcessRunOptions): ContainerRun {
  const { clock, folder, stdin } = options;
  const [command, args] = deathSignal
    ? [deathSignal, ["--pdeathsig", "KILL", "--", options.command, ...options.args]]
    : [options.command, options.args];
  const log = new LogBuffer();
  const listeners = new Set<(stream: "stdout" | "stderr", chunk: Uint8Array | string) => void>();
  const child = spawn(command, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, ...options.env },
    stdio: [stdin ? "pipe" : "ignore", "pipe", "pipe"],
  });
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream]?.on("data", (chunk: Buffer) => {
      log.append(stream, chunk, clock.now());
      for (const listener of listeners) listener(stream, chunk);
    });
  }
  child.stdin?.on("error", () => undefined);
  const { promise, resolve } = Promise.withResolvers<Ending>();
  const over = new AbortController();
  let kill: NodeJS.Timeout | undefined;
  const end = (ending: Ending) => {
    clearTimeout(kill);
    log.close(clock.now());
    over.abort();
    resolve(ending);
  };
  child.once("error", (error) => end({ exitCode: 128, reason: "StartError", message: error.message }));
  child.once("close", (code, signal) => {
    const exitCode = code ?? (signal === "SIGKILL" ? 137 : 143);
    end({ exitCode, reason: exitCode === 0 ? "Completed" : "Error" });
  });
  return {
    startedAt: clock.now(),
    log,
    ended: promise,
    over: over.signal,
    input: child.stdin ?? undefined,
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop(graceMs) {
      child.kill(graceMs > 0 ? "SIGTERM" : "SIGKILL");
      kill ??= setTimeout(() => child.kill("SIGKILL"), graceMs);
    },
    hostPorts: options.hostPorts,
  };
}
