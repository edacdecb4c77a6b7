import type { Readable } from "node:stream";
import type { Clock } from "@keelson/base";
import type { ContainerFiles } from "./container-files.ts";

/** Writes a chunk of output. Waits while the reader is slow. */
export type Output = (chunk: Uint8Array | string) => Promise<void> | void;

/** Execution context of a built-in shell command. */
export interface CommandIo {
  /** Arguments without the command name. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Current directory as an absolute path in the container. */
  readonly directory: string;
  readonly stdin: Readable;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly files: ContainerFiles;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Resolves with true if the missing file can be part of the image, so that an empty file can replace it. */
  readonly unknownFile?: (path: string, stderr: Output) => Promise<boolean>;
  /** Reports that the container's program serves or waits, so that the container can become ready. */
  readonly started?: (() => void) | undefined;
}

/** Built-in shell command. Resolves with the exit status. An exception is written to standard error and results in status 1. */
export type ShellCommand = (io: CommandIo) => Promise<number>;

/** Separates single-letter flags from operands. `--` ends the flags. */
export function flagsOf(args: readonly string[]): {
  readonly flags: string;
  readonly rest: readonly string[];
} {
  let at = 0;
  let flags = "";
  for (; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (arg === "--") {
      at++;
      break;
    }
    if (!/^-[A-Za-z0-9]+$/.test(arg)) break;
    flags += arg.slice(1);
  }
  return { flags, rest: args.slice(at) };
}

/** Reads the complete standard input, up to `maxInputBytes`. */
export async function readAll(stdin: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdin) {
    size += chunk.length;
    if (size > maxInputBytes) throw new Error("the input is too long");
    chunks.push(Buffer.from(chunk));
  }
  return Buffer.concat(chunks);
}

const maxInputBytes = 16 * 1_024 * 1_024;
