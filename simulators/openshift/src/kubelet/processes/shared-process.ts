import type { ChildProcess } from "node:child_process";
import { type Clock, Heartbeat, type Logger, spawnBound, startTimeLimit, systemClock } from "@keelson/base";
import type { ContainerRun, Ending } from "../runs/container-run.ts";
import { endingOf, RunOutput } from "../runs/run-output.ts";
import type { ProcessRunOptions } from "./process-run.ts";

/** Message to the shared process. `id` identifies a container run. */
export type ToShared =
  | {
      readonly kind: "start";
      readonly id: number;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    }
  | { readonly kind: "stop"; readonly id: number }
  /** Heartbeat request. The process responds with `pong`. */
  | { readonly kind: "ping" };

/** Message from the shared process. */
export type FromShared =
  | { readonly kind: "output"; readonly id: number; readonly text: string }
  | { readonly kind: "ended"; readonly id: number; readonly exitCode: number }
  | { readonly kind: "pong" };

export interface SharedProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /**
   * Milliseconds without a message after which the process counts as dead. Checked only if a container does not stop in time.
   * Default: 60,000 ms.
   */
  readonly silentMs?: number;
  readonly logger: Logger;
  /** Called after each start and exit of the process. Also called when the running process stops or resumes responding. */
  readonly changed?: (state: SharedProcessState) => void;
  /** Default: `systemClock`. */
  readonly clock?: Clock;
}

export interface SharedProcessState {
  /** Process ID. Undefined while the process does not run. */
  readonly pid: number | undefined;
  readonly notRespondingSince: Date | undefined;
}

/**
 * Local process that runs the containers of many clusters. It starts with the first container. If it dies, all its containers
 * terminate, as if a node failed. The next container starts a new process.
 */
export class SharedProcess implements AsyncDisposable {
  readonly #options: SharedProcessOptions;
  readonly #runs = new Map<number, RunOutput>();
  #child: ChildProcess | undefined;
  #last = 0;
  /** Listeners for each message from the process. */
  readonly #messageListeners = new Set<() => void>();
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

  /** Runs a container in the shared process with its arguments and environment. */
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
        // Waits longer than the grace period because a process with many containers needs more time.
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
    // After the disconnect, the process exits when its last container ends.
    if (child.connected) child.disconnect();
    using _ = startTimeLimit(disposalMs, () => child.kill("SIGKILL"));
    await ended;
  }

  #send(message: ToShared): void {
    this.#sendTo(this.#child ?? this.#start(), message);
  }

  /** Sends a message. Returns false if the process has exited. The `exit` handler reports the exit. */
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
        logger.warn({ pid: child.pid, text: chunk.toString() }, "output of a shared process"),
      );
    child.on("message", (message: FromShared) => {
      this.#heartbeat.received();
      for (const listener of this.#messageListeners) listener();
      if (message.kind === "output") this.#runs.get(message.id)?.write("stderr", message.text);
      else if (message.kind === "ended") this.#end(message.id, message.exitCode);
    });
    child.once("error", (error) => {
      logger.error({ error: error.message }, "a shared process cannot start");
      // A process that failed to start emits no `exit` event.
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
   * Handles a container that does not stop in time. If the process responds, the container counts as terminated. If the process
   * does not respond, the container may block the process, so the process is killed. The other containers of the process then
   * restart.
   */
  async #kill(id: number): Promise<void> {
    const { logger } = this.#options;
    const child = this.#child;
    const responds = child !== undefined && (await this.#responds(child));
    if (!this.#runs.has(id)) return;
    const about = { pid: child?.pid, container: id };
    if (responds || child === undefined) {
      logger.warn(about, "a container of a shared process does not stop, and counts as ended");
      this.#end(id, 137);
    } else {
      logger.warn(
        about,
        "a shared process is killed: one of its containers does not stop, and the process does not respond",
      );
      child.kill("SIGKILL");
    }
  }

  async #responds(child: ChildProcess): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const respond = () => resolve(true);
    using _ = startTimeLimit(this.#options.silentMs ?? 60_000, () => resolve(false));
    this.#messageListeners.add(respond);
    this.#send({ kind: "ping" });
    child.once("exit", respond);
    try {
      return await promise;
    } finally {
      this.#messageListeners.delete(respond);
      child.off("exit", respond);
    }
  }

  /** Terminates all containers of an exited process. The next container starts a new process. */
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
