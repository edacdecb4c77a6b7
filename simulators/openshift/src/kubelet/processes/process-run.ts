import { type Clock, spawnBound } from "@keelson/base";
import type { ContainerRun } from "../runs/container-run.ts";
import { endingOf, RunOutput } from "../runs/run-output.ts";

export interface ProcessRunOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** Environment of the process. `PATH` is added with its value in the simulation's own process. Nothing else is added. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * Environment of the container. It is sent as a `ContainerStart` message over IPC and never becomes the process environment.
   */
  readonly environment: Readonly<Record<string, string>>;
  readonly directory: string;
  readonly clock: Clock;
  readonly stdin: boolean;
  readonly hostPorts: ReadonlyMap<number, number>;
}

/** First IPC message to a process. */
export interface ContainerStart {
  readonly environment: Readonly<Record<string, string>>;
}

/** Runs a container as a real process on this machine. */
export function processRun(options: ProcessRunOptions): ContainerRun {
  const { directory, stdin, hostPorts } = options;
  const output = new RunOutput(options.clock);
  const child = spawnBound(options.command, options.args, {
    cwd: directory,
    env: { ...options.env, PATH: process.env.PATH },
    stdio: [stdin ? "pipe" : "ignore", "pipe", "pipe", "ipc"],
  });
  const start: ContainerStart = { environment: options.environment };
  // A failure to send is ignored, because a process that exits early cannot read the message. The exit handler below reports the
  // exit.
  if (child.connected) child.send(start, () => undefined);
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
