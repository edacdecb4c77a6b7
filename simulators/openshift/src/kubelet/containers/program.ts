import type { Readable } from "node:stream";
import type { Clock } from "@keelson/base";
import type { ContainerFiles } from "./container-files.ts";

/** Execution context of a simulated program. */
export interface ProgramIo {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Ends immediately if there is no input. */
  readonly stdin: Readable;
  /** Resolves when there is space for more output. */
  readonly stdout: (chunk: Uint8Array | string) => Promise<void> | void;
  readonly stderr: (chunk: Uint8Array | string) => Promise<void> | void;
  readonly files: ContainerFiles;
  readonly clock: Clock;
  readonly tty: boolean;
  /** Aborts when the program must stop. The reason is the name of the signal. */
  readonly signal: AbortSignal;
}

/**
 * Resolves with the exit code. An exception is written to `stderr` and terminates the program with exit code
 * 1.
 */
export type Program = (io: ProgramIo) => Promise<number>;

/** Exit code of a program that was terminated by a signal. */
export function signalExitCode(signal: AbortSignal): number {
  return signal.reason === "SIGKILL" ? 137 : signal.reason === "SIGINT" ? 130 : 143;
}

/** Runs until it is stopped, like a server without requests. Costs one promise. */
export const idle: Program = ({ signal }) => {
  const { promise, resolve } = Promise.withResolvers<number>();
  const end = () => resolve(signal.reason === "SIGKILL" ? 137 : 0);
  if (signal.aborted) end();
  else signal.addEventListener("abort", end, { once: true });
  return promise;
};

/**
 * Program of a container with a rejected command: logs the reason and exits with the status of wrong usage.
 */
export function refusal(reason: string): Program {
  return async ({ stderr }) => {
    await stderr(`${reason}\n`);
    return 2;
  };
}
