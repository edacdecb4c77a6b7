import type { Readable } from "node:stream";
import type { Clock } from "@keelson/base";
import type { ShellCommand } from "./command.ts";
import type { ContainerFiles } from "./container-files.ts";

/** Execution context of a simulated program. */
export interface ProgramIo {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Standard input. Without input, the stream ends immediately. */
  readonly stdin: Readable;
  /** Writes a chunk of output. Resolves when the buffer has space again. */
  readonly stdout: (chunk: Uint8Array | string) => Promise<void> | void;
  readonly stderr: (chunk: Uint8Array | string) => Promise<void> | void;
  readonly files: ContainerFiles;
  readonly clock: Clock;
  readonly tty: boolean;
  /** Additional commands of the built-in shell, by name. */
  readonly commands?: Readonly<Record<string, ShellCommand>>;
  /**
   * Runs instead of a command that the built-in shell does not support. Resolves with the exit status. Default: such a command
   * exits with status 127.
   */
  readonly unknownCommand?: (name: string, stderr: ProgramIo["stderr"]) => Promise<number>;
  /** Resolves with true if the missing file can be part of the image, so that an empty file can replace it. */
  readonly unknownFile?: (path: string, stderr: ProgramIo["stderr"]) => Promise<boolean>;
  /**
   * Called by a program that reports its startup, before its first `await`. The program calls the returned function when it
   * serves or waits. Until then, readiness probes of the container fail.
   */
  readonly starting?: () => () => void;
  /** Aborts when the program must stop. The abort reason is the signal name. */
  readonly signal: AbortSignal;
}

/** Simulated program. Resolves with the exit code. An exception is written to `stderr` and results in exit code 1. */
export type Program = (io: ProgramIo) => Promise<number>;

/** Returns the exit code of a program that was terminated by a signal. */
export function signalExitCode(signal: AbortSignal): number {
  return signal.reason === "SIGKILL" ? 137 : signal.reason === "SIGINT" ? 130 : 143;
}

/**
 * Program that runs until it is stopped, like a server that receives no requests. The program uses no resources except one
 * promise.
 */
export const idle: Program = ({ signal }) => {
  const { promise, resolve } = Promise.withResolvers<number>();
  const end = () => resolve(signal.reason === "SIGKILL" ? 137 : 0);
  if (signal.aborted) end();
  else signal.addEventListener("abort", end, { once: true });
  return promise;
};

/** Returns a program for a rejected command. It logs the reason and exits with the usage error code. */
export function refusal(reason: string): Program {
  return async ({ stderr }) => {
    await stderr(`${reason}\n`);
    return 2;
  };
}
