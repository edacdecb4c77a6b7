import type { ChildProcess } from "node:child_process";
import { type Clock, Heartbeat, type Logger, spawnBound, systemClock } from "@keelson/base";
import type { ContainerRun, Ending } from "../runs/container-run.ts";
import { endingOf, RunOutput } from "../runs/run-output.ts";
import type { ProcessRunOptions } from "./process-run.ts";

/** What the shared process is asked for; `id` is of one run of a container. */
export type ToShared =
  | {
      readonly kind: "start";
      readonly id: number;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    }
  | { readonly kind: "stop"; readonly id: number }
  /** Is to be answered. */
  | { readonly kind: "ping" };

/** What it answers. */
export type FromShared =
  | { readonly kind: "output"; readonly id: number; readonly text: string }
  | { readonly kind: "ended"; readonly id: number; readonly exitCode: number }
  | { readonly kind: "pong" };

export interface SharedProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** A process that says nothing for so long is taken for dead when a container in it does not stop; 60 s when absent. */
  readonly silentMs?: number;
  readonly logger: Logger;
  /** Called after each start and exit of the process, and when it no longer responds or responds again. */
  readonly changed?: (state: SharedProcessState) => void;
  /** Default: `systemClock`. */
  readonly clock?: Clock;
}

export interface SharedProcessState {
  /** Undefined while it does not run. */
  readonly pid: number | undefined;
  readonly notRespondingSince: Date | undefined;
}

/**
 * One process of this machine that runs many containers side by side, for fleets of clusters: it starts with the first
 * container and, when it dies, ends them all, as a node that fails does; the next one starts it again.
 */
export class SharedProcess implements AsyncDisposable {
  readonly #options: SharedProcessOptions;
  readonly #runs = new Map<number, RunOutput>();
  #child: ChildProcess | undefined;
  #last = 0;
  /** Called with each message of the process. */
  readonly #hears = new Set<() => void>();
  readonly #disposed = new AbortController();
  readonly #heartbeat: Heartbeat;

  constructor(options: SharedProcessOptions) {
    this.#options = options;
    this.#heartbeat = new Heartbeat({
      ping: () => this.#child !== undefined && this.#sendTo(this.#child, { kind: "ping" }),
      changed: () => this.#changed(),
      clock: options.clock ?? systemClock,
      signal: this.#disposed.signal,
    });
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Its arguments and environment are the container's; its command is that of this process. */
  readonly run = ({ args, clock, environment: env, hostPorts }: ProcessRunOptions): ContainerRun => {
    this.#last += 1;
    const id = this.#last;
    const output = new RunOutput(clock);
    this.#runs.set(id, output);
    this.#send({ kind: "start", id, args: args.slice(this.#options.args.length), env });
    let kill: NodeJS.Timeout | undefined;
    const run = output.run({
      input: undefined,
      stop: (graceMs) => {
        this.#send({ kind: "stop", id });
        // A process that is busy with many is given longer.
        kill ??= setTimeout(() => void this.#kill(id), graceMs * graceFactor);
      },
      hostPorts,
    });
    void run.ended.then(() => clearTimeout(kill));
    return run;
  };

  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposed.abort();
    const child = this.#child;
    if (!child) return;
    const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    if (child.pid === undefined) return;
    // It ends when nobody speaks to it, and has no container left to end.
    if (child.connected) child.disconnect();
    const kill = setTimeout(() => child.kill("SIGKILL"), disposalMs);
    await ended;
    clearTimeout(kill);
  }

  #send(message: ToShared): void {
    this.#sendTo(this.#child ?? this.#start(), message);
  }

  /** Returns false after the exit of the process, which `exit` reports. */
  #sendTo(child: ChildProcess, message: ToShared): boolean {
    if (!child.connected) return false;
    child.send(message, () => undefined);
    return true;
  }

  #changed(): void {
    const { notRespondingSince } = this.#heartbeat;
    this.#options.changed?.({ pid: this.#child?.pid, notRespondingSince });
  }

  #start(): ChildProcess {
    const { command, args, env, logger } = this.#options;
    const child = spawnBound(command, args, {
      env: { PATH: process.env.PATH, ...env },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    this.#child = child;
    this.#changed();
    for (const stream of ["stdout", "stderr"] as const)
      child[stream]?.on("data", (chunk: Buffer) =>
        logger.warn({ pid: child.pid, text: chunk.toString() }, "a shared process says"),
      );
    child.on("message", (message: FromShared) => {
      this.#heartbeat.received();
      for (const hear of this.#hears) hear();
      if (message.kind === "output") this.#runs.get(message.id)?.write("stderr", message.text);
      else if (message.kind === "ended") this.#end(message.id, message.exitCode);
    });
    child.once("error", (error) => {
      logger.error({ error: error.message }, "a shared process cannot start");
      // A process that never was has no exit either.
      if (child.pid === undefined)
        this.#ended(child, { exitCode: 128, reason: "StartError", message: error.message });
    });
    child.once("exit", (code, signal) => {
      logger.info({ pid: child.pid, code, signal, containers: this.#runs.size }, "a shared process ended");
      this.#ended(child, endingOf(137));
    });
    return child;
  }

  /**
   * Ends a container that does not stop by itself. Where its process still answers, it has been asked to stop and waits for
   * something: it counts as ended. Otherwise it may be what keeps the process from hearing anything: only the end of the
   * process ends it, and with it all others, which then begin at the same time.
   */
  async #kill(id: number): Promise<void> {
    const { logger } = this.#options;
    const child = this.#child;
    const answers = child !== undefined && (await this.#answers(child));
    if (!this.#runs.has(id)) return;
    const about = { pid: child?.pid, container: id };
    if (answers || child === undefined) {
      logger.warn(about, "a container of a shared process does not stop, and counts as ended");
      this.#end(id, 137);
    } else {
      logger.warn(
        about,
        "a shared process is killed: a container in it does not stop, and it does not answer",
      );
      child.kill("SIGKILL");
    }
  }

  async #answers(child: ChildProcess): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const hear = () => resolve(true);
    const late = setTimeout(() => resolve(false), this.#options.silentMs ?? 60_000);
    this.#hears.add(hear);
    this.#send({ kind: "ping" });
    child.once("exit", hear);
    try {
      return await promise;
    } finally {
      clearTimeout(late);
      this.#hears.delete(hear);
      child.off("exit", hear);
    }
  }

  /** All its containers end with it; the next one starts another. */
  #ended(child: ChildProcess, ending: Ending): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    this.#heartbeat.reset();
    this.#changed();
    for (const [id, output] of [...this.#runs]) {
      this.#runs.delete(id);
      output.end(ending);
    }
  }

  #end(id: number, exitCode: number): void {
    const output = this.#runs.get(id);
    this.#runs.delete(id);
    output?.end(endingOf(exitCode));
  }
}

const disposalMs = 10_000;
const graceFactor = 4;
