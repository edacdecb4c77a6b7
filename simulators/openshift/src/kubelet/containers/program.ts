import type { Readable } from "node:stream";
import type { Clock } from "@keelson/base";
import type { ContainerFiles } from "./container-files.ts";

/** What a simulated program has of the world. */
export interface ProgramIo {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Ends at once when nobody gives input. */
  readonly stdin: Readable;
  /** Resolves when there is room for more. */
  readonly stdout: (chunk: Uint8Array | string) => Promise<void> | void;
  readonly stderr: (chunk: Uint8Array | string) => Promise<void> | void;
  readonly files: ContainerFiles;
  readonly clock: Clock;
  readonly tty: boolean;
  /** Aborts when the program is to end; the reason is the name of the signal. */
  readonly signal: AbortSignal;
}

/** Resolves with the exit code. What it throws ends it with 1 and goes to `stderr`. */
export type Program = (io: ProgramIo) => Promise<number>;

/** Exit code of a program that a signal ended. */
export function signalExitCode(signal: AbortSignal): number {
  return signal.reason === "SIGKILL" ? 137 : signal.reason === "SIGINT" ? 130 : 143;
}

/** Runs until it is stopped: a server without requests. Costs one promise. */
export const idle: Program = ({ signal }) => {
  const { promise, resolve } = Promise.withResolvers<number>();
  const end = () => resolve(signal.reason === "SIGKILL" ? 137 : 0);
  if (signal.aborted) end();
  else signal.addEventListener("abort", end, { once: true });
  return promise;
};

/** Program of a container whose command is refused: logs the reason and exits with the status of wrong usage. */
export function refusal(reason: string): Program {
  return async ({ stderr }) => {
    await stderr(`${reason}\n`);
    return 2;
  };
}
