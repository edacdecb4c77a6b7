import process from "node:process";
import { type Clock, messageOf, onTimeDeadline, spawnBound, systemPath } from "@keelson/base";
import type { ContainerRun } from "../runs/container-run.ts";
import { endingOf, RunOutput } from "../runs/run-output.ts";
import type { HostProgram } from "./image-registry.ts";

const hourMs = 3_600_000;
const checkEveryMs = 10_000;
const defaultOutputBytes = 64 * 1024 * 1024;

export interface HostRunOptions extends Pick<HostProgram, "silentMs" | "maxOutputBytes"> {
  readonly directory: string;
  readonly clock: Clock;
}

/**
 * Runs a host command line as a container. If the command line cannot be prepared, the run ends with an error. A program that
 * prints no output is stopped after a time limit. Time in which this process's event loop was delayed, for example on a busy
 * machine, does not count toward the limit.
 */
export async function hostRun(
  commandLine: () => Promise<readonly string[]>,
  { directory, clock, silentMs = hourMs, maxOutputBytes = defaultOutputBytes }: HostRunOptions,
): Promise<ContainerRun> {
  const output = new RunOutput(clock);
  const fail = (message: string) => output.end({ exitCode: 128, reason: "StartError", message });
  const over = new AbortController();
  let words: readonly string[];
  try {
    words = await commandLine();
  } catch (error) {
    fail(messageOf(error));
    return output.run({ input: undefined, stop: () => undefined });
  }
  const [first = "", ...rest] = words;
  const child = spawnBound(first, rest, {
    cwd: directory,
    env: { PATH: systemPath },
    stdio: ["ignore", "pipe", "pipe"],
    // Uses a separate process group, so that child processes stop with the program.
    detached: true,
  });
  const kill = (signal: "SIGTERM" | "SIGKILL") => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal);
    } catch {
      // The process group has already exited.
    }
  };
  let exceeded: string | undefined;
  const exceed = (limit: string) => {
    if (exceeded !== undefined || over.signal.aborted) return;
    exceeded = limit;
    output.write("stderr", `keelson: the program is stopped: ${limit}\n`);
    kill("SIGKILL");
  };
  let bytes = 0;
  let isSilent = onTimeDeadline(clock, silentMs);
  for (const stream of ["stdout", "stderr"] as const)
    child[stream]?.on("data", (chunk: Buffer) => {
      isSilent = onTimeDeadline(clock, silentMs);
      bytes += chunk.length;
      if (bytes > maxOutputBytes) exceed(`more than ${maxOutputBytes} bytes of output`);
      else output.write(stream, chunk);
    });
  child.once("error", (error) => {
    over.abort();
    fail(error.message);
  });
  child.once("close", (code, signal) => {
    over.abort();
    const ending = endingOf(code ?? (signal === "SIGKILL" ? 137 : 143));
    output.end(exceeded === undefined ? ending : { exitCode: 137, reason: "Error", message: exceeded });
  });
  child.once("exit", () => kill("SIGKILL"));
  void repeatedly(Math.min(checkEveryMs, silentMs), clock, over.signal, () => {
    if (isSilent()) exceed(`no output for ${silentMs} ms`);
  });
  return output.run({
    input: undefined,
    stop(graceMs) {
      kill(graceMs > 0 ? "SIGTERM" : "SIGKILL");
      const later = setTimeout(() => kill("SIGKILL"), graceMs);
      over.signal.addEventListener("abort", () => clearTimeout(later), { once: true });
    },
  });
}

async function repeatedly(
  everyMs: number,
  clock: Clock,
  over: AbortSignal,
  check: () => void,
): Promise<void> {
  while (!over.aborted) {
    check();
    await clock.sleep(everyMs, over).catch(() => undefined);
  }
}
