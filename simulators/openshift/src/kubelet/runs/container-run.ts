import { PassThrough, type Readable, type Writable } from "node:stream";
import type { Clock } from "@keelson/base";
import type { ContainerFiles } from "../containers/container-files.ts";
import { LogBuffer } from "../containers/log-buffer.ts";
import { idle, type Program, signalExitCode } from "../containers/program.ts";
import { commandName, commandsOfCommands } from "../shell/command-names.ts";
import { Shell } from "../shell/shell.ts";
import { shellCommands, shells } from "../shell/system-commands.ts";
import { terminal } from "./terminal.ts";

/** Result of a container run (core/v1 ContainerStateTerminated). */
export interface Ending {
  readonly exitCode: number;
  readonly reason: string;
  readonly message?: string;
}

/** One run of a container, from start to termination. */
export interface ContainerRun {
  readonly startedAt: Date;
  readonly log: LogBuffer;
  readonly ended: Promise<Ending>;
  /** Aborts when the run ends. Listeners use it to unsubscribe. */
  readonly over: AbortSignal;
  /** Resolves when the program serves or waits. `undefined` if the program does not report its startup. */
  readonly started?: Promise<void> | undefined;
  /** Standard input. `undefined` if the container has none. */
  readonly input: Writable | undefined;
  /** Calls `listener` for each output chunk. Returns a function that unsubscribes. */
  listen(listener: (stream: "stdout" | "stderr", chunk: Uint8Array | string) => void): () => void;
  /** Sends SIGTERM immediately and SIGKILL after `graceMs` milliseconds. */
  stop(graceMs: number): void;
  /** Host ports by container port. */
  readonly hostPorts?: ReadonlyMap<number, number>;
}

export interface SimulatedRunOptions {
  readonly words: readonly string[];
  readonly program: Program;
  readonly startedAt: Date;
  readonly env: Readonly<Record<string, string>>;
  readonly files: ContainerFiles;
  readonly clock: Clock;
  readonly stdin: boolean;
  readonly tty: boolean;
}

/** Runs a simulated container. Its program is the image's program, the built-in shell or an idle program. */
export function simulatedRun(options: SimulatedRunOptions): ContainerRun {
  const { clock, words, env, files, tty } = options;
  const stop = new AbortController();
  const over = new AbortController();
  const log = new LogBuffer();
  const listeners = new Set<(stream: "stdout" | "stderr", chunk: Uint8Array | string) => void>();
  const write = (stream: "stdout" | "stderr") => (chunk: Uint8Array | string) => {
    log.append(stream, chunk, clock.now());
    for (const listener of listeners) listener(stream, chunk);
  };
  const { program } = options;
  const input = options.stdin ? new PassThrough() : undefined;
  // Idle programs need no streams.
  const line =
    tty && program !== idle ? terminal(input, write("stdout"), () => stop.abort("SIGINT")) : undefined;
  let started: Promise<void> | undefined;
  // A program that reads the standard input may wait for input without reporting its startup.
  const starting = options.stdin
    ? undefined
    : () => {
        const { promise, resolve } = Promise.withResolvers<void>();
        started = promise;
        return resolve;
      };
  const io = {
    args: words,
    env,
    stdin: line?.stdin ?? input ?? ended(),
    stdout: line?.output ?? write("stdout"),
    stderr: line?.output ?? write("stderr"),
    files,
    clock,
    tty,
    ...(starting ? { starting } : {}),
    signal: stop.signal,
  };
  const finish = async (): Promise<Ending> => {
    let exitCode: number;
    try {
      exitCode = await program(io);
    } catch (error) {
      exitCode = stop.signal.aborted ? signalExitCode(stop.signal) : 1;
      if (!stop.signal.aborted)
        await io.stderr(`${error instanceof Error ? error.message : String(error)}\n`);
    }
    log.close(clock.now());
    over.abort();
    // Stops background jobs of the program. Otherwise, they would run until the end of this process.
    stop.abort("SIGKILL");
    return { exitCode, reason: exitCode === 0 ? "Completed" : "Error" };
  };
  const result = finish();
  return {
    startedAt: options.startedAt,
    log,
    ended: result,
    started,
    over: over.signal,
    input,
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop: () => stop.abort("SIGTERM"),
  };
}

/** Returns a run that has already ended. */
export function endedRun(startedAt: Date, ending: Ending): ContainerRun {
  const log = new LogBuffer();
  log.close(startedAt);
  return {
    startedAt,
    log,
    ended: Promise.resolve(ending),
    over: AbortSignal.abort(),
    input: undefined,
    listen: () => () => undefined,
    stop: () => undefined,
  };
}

/** Returns the program for a command. The built-in shell runs supported commands. Other commands are idle. */
export function programOf(words: readonly string[]): Program {
  const [path = ""] = words;
  return isKnown(path) ? runWords : idle;
}

/** True if the command is a shell. */
export function isShell(path: string): boolean {
  return shells.has(commandName(path));
}

export function isKnown(path: string): boolean {
  const name = commandName(path);
  return (
    shells.has(name) || commandsOfCommands.has(name) || Object.hasOwn(shellCommands, name) || name === "exit"
  );
}

/**
 * Program that runs a built-in shell command. A shell without a script reads commands from its input and prints a prompt on a
 * terminal.
 */
export const runWords: Program = async (io) => {
  const shell = new Shell({ ...io, started: io.starting?.() }, io.env, ["sh"]);
  const [path = "", ...rest] = io.args;
  const name = path.replace(/^.*\//, "");
  const interactive = shells.has(name) && rest.every((each) => /^-[il]+$/.test(each));
  if (interactive) return shell.interact(io, io.tty ? "/ # " : undefined);
  return shell.runWords(io.args, io);
};

function ended(): Readable {
  return new PassThrough().end();
}
