import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { type Clock, Heartbeat, type Logger, untilAborted } from "@keelson/base";
import { cliErrors } from "../output/cli-errors.ts";
import type { ComponentState, ComponentStatus } from "../state/component-status.ts";
import type { ComponentSettings, FromComponent, OperatorsProcess, ToComponent } from "./component.ts";
import { RestartPolicy } from "./restart-policy.ts";

export interface ComponentProcessOptions<Settings> {
  readonly name: string;
  /** Path of the log file, or a description of the log destination. */
  readonly log: string;
  /** Spawns the process with an IPC channel. The process waits for the message `start`. */
  readonly spawn: () => ChildProcess;
  readonly settings: Settings;
  /** Resolves when all components on which this component depends are serving. */
  readonly dependency: (signal: AbortSignal) => Promise<void>;
  readonly report: (text: string) => void;
  /** Called after each change of `status`. */
  readonly changed: () => void;
  /** Called with each message that the component posts. */
  readonly receive?: (message: unknown) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Supervises one component process: starts it, restarts it after an exit, and stops it. */
export class ComponentProcess<Settings = ComponentSettings> {
  readonly #options: ComponentProcessOptions<Settings>;
  readonly #restartPolicy = new RestartPolicy();
  readonly #stop = new AbortController();
  readonly #firstServing = Promise.withResolvers<void>();
  #child: ChildProcess | undefined;
  #state: ComponentState = "waiting";
  #since: Date;
  #starts = 0;
  #reason: string | undefined;
  #failure: string | undefined;
  readonly #heartbeat: Heartbeat;
  #operators: OperatorsProcess | undefined;
  #hasServed = false;
  #served = Promise.withResolvers<void>();
  /** Resolves at the next change of the state. */
  #nextState = Promise.withResolvers<void>();
  /** Process that has opened the files of a simulated world and waits to replace the current process. */
  #standby: Standby | undefined;
  /** Directory of the world's files for the next start. Undefined: the default. */
  #world: string | undefined;
  /** Resolves when `release` permits the next start of the component. Defined after `hold` has stopped the component. */
  #hold: PromiseWithResolvers<void> | undefined;
  /** Number of restarts that `hold` caused. The reported number of restarts does not include them. */
  #requestedStarts = 0;
  readonly #ended: Promise<void>;

  constructor(options: ComponentProcessOptions<Settings>) {
    this.#options = options;
    this.#since = options.clock.now();
    // Prevents an unhandled rejection, because `serving` may not have been called yet.
    this.#firstServing.promise.catch(() => undefined);
    const { clock, logger, name, changed } = options;
    this.#heartbeat = new Heartbeat({
      ping: () => this.#send({ kind: "ping" }),
      changed: () => {
        if (this.#heartbeat.notRespondingSince) logger.warn({ name }, "component does not respond");
        changed();
      },
      clock,
      signal: this.#stop.signal,
    });
    this.#ended = this.#run();
  }

  get status(): ComponentStatus {
    const pid = this.#child?.pid;
    const { notRespondingSince } = this.#heartbeat;
    return {
      component: this.#options.name,
      ...(pid === undefined ? {} : { process: pid }),
      since: this.#since.toISOString(),
      restarts: Math.max(0, this.#starts - 1 - this.#requestedStarts),
      state: this.#state,
      ...(notRespondingSince ? { notRespondingSince: notRespondingSince.toISOString() } : {}),
      ...(this.#reason === undefined ? {} : { reason: this.#reason }),
      log: this.#options.log,
    };
  }

  /** Returns the process of the operators, if this component runs it. */
  get operators(): OperatorsProcess | undefined {
    return this.#operators;
  }

  /** Resolves when the component serves for the first time. @throws NotRunning with the error of a failed start */
  get firstServing(): Promise<void> {
    return this.#firstServing.promise;
  }

  /** Resolves when the component is serving. */
  serving(signal: AbortSignal): Promise<void> {
    return untilAborted(this.#served.promise, signal);
  }

  /** Resolves when the component is serving, or has no process and will not be restarted. */
  async settled(signal: AbortSignal): Promise<ComponentStatus> {
    while (!["serving", "down", "stopped"].includes(this.#state))
      await untilAborted(this.#nextState.promise, signal);
    return this.status;
  }

  /** Sends a message to the process. Returns false if no process is running. */
  post(message: unknown): boolean {
    return this.#send({ kind: "message", message });
  }

  /**
   * Starts a standby process, which replaces the current process after `hold` and `release`. Resolves when the standby process
   * has opened the files in `world`. If the standby process exits early, `release` starts a new process.
   */
  prepare(world: string): Promise<void> {
    const { settings, spawn } = this.#options;
    if (this.#standby?.child.connected && this.#standby.world === world) return this.#standby.ready;
    this.#standby?.child.kill("SIGKILL");
    const child = spawn();
    const { promise: ready, resolve } = Promise.withResolvers<void>();
    this.#standby = { child, world, ready };
    child.on("error", () => resolve()).once("exit", () => resolve());
    child.on("message", (message: FromComponent) => {
      if (message.kind === "warmed" || message.kind === "failed") resolve();
    });
    child.send({ kind: "warm", settings, world } satisfies ToComponent<Settings>, () => undefined);
    return ready;
  }

  /** Kills the standby process, because its files will be deleted. Resolves after its exit. */
  async discard(): Promise<void> {
    const child = this.#standby?.child;
    this.#standby = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    if (child.kill("SIGKILL")) await exited;
  }

  /**
   * Suspends or resumes the process. A suspended process writes no files.
   * @returns false if no process is running
   */
  signal(signal: "SIGSTOP" | "SIGCONT"): boolean {
    return this.#child?.kill(signal) ?? false;
  }

  /** Kills the process, as in a crash. No new process starts until `release`. Resolves after the exit of the killed process. */
  async hold(): Promise<void> {
    this.#hold ??= Promise.withResolvers();
    const child = this.#child;
    if (!child) return;
    const exited = once(child, "exit");
    if (child.kill("SIGKILL")) await exited;
    this.#enter("restarting");
  }

  /** Permits the next start of the process after `hold`. The process uses the files in `world`. Default: the state directory. */
  release(world?: string): void {
    this.#world = world;
    this.#hold?.resolve();
    this.#hold = undefined;
  }

  /** Stops the process. Resolves after its exit. */
  async stop(): Promise<void> {
    this.#stop.abort("draining");
    this.#standby?.child.kill("SIGKILL");
    this.release();
    if (this.#child) this.#enter("stopping");
    this.#send({ kind: "stop" });
    await this.#ended;
    this.#enter("stopped");
  }

  async #run(): Promise<void> {
    const { dependency, name, clock, logger, report } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await this.#hold?.promise;
      if (signal.aborted) return;
      const exit = this.#begin();
      // Starts the process before the components on which it depends are ready, because the process can open its files in the
      // meantime.
      this.#send({ kind: "start", settings: this.#options.settings, world: this.#world });
      this.#world = undefined;
      await dependency(signal).then(
        () => {
          if (this.#state === "waiting") this.#enter("starting");
          this.#send({ kind: "dependencies" });
        },
        () => this.#send({ kind: "stop" }),
      );
      const how = await exit;
      this.#served = Promise.withResolvers<void>();
      this.#heartbeat.reset();
      this.#operators = undefined;
      if (signal.aborted) return;
      if (this.#hold) {
        this.#requestedStarts += 1;
        continue;
      }
      this.#reason = this.#failure === undefined ? how : `${how}: ${this.#failure}`;
      logger.error({ name, reason: this.#reason }, "component exited");
      if (!this.#hasServed) {
        this.#enter("down");
        this.#firstServing.reject(
          cliErrors.NotRunning(this.#failure ?? `${name} ${how}, see ${this.#options.log}`),
        );
        return;
      }
      const decision = this.#restartPolicy.afterExit(clock.monotonicMs());
      if (decision.kind === "down") {
        this.#reason = `${decision.reason}, the last: ${this.#reason}`;
        this.#enter("down");
        report(`${name} stays down: ${this.#reason}`);
        return;
      }
      this.#enter("restarting");
      report(`${name} ${how}, restarting`);
      await clock.sleep(decision.delayMs, signal).catch(() => undefined);
    }
  }

  /** Starts the process. Resolves to a description of its exit. */
  #begin(): Promise<string> {
    const standby = this.#standby;
    const isPrepared = standby?.child.connected && standby.world === this.#world;
    const child = isPrepared ? standby.child : this.#options.spawn();
    if (isPrepared) this.#standby = undefined;
    this.#child = child;
    this.#starts += 1;
    this.#failure = undefined;
    this.#enter(this.#starts === 1 ? "waiting" : "starting");
    child.on("message", (message: FromComponent) => this.#receive(message));
    return new Promise((resolve) => {
      const exited = (how: string) => {
        this.#child = undefined;
        resolve(how);
      };
      child.once("error", (error) => {
        if (child.pid === undefined) exited(`cannot start (${error.message})`);
      });
      child.once("exit", (code, signal) =>
        exited(signal ? `exited with ${signal}` : `exited with code ${code}`),
      );
    });
  }

  #receive(message: FromComponent): void {
    this.#heartbeat.received();
    switch (message.kind) {
      case "serving":
        this.#hasServed = true;
        this.#served.resolve();
        this.#firstServing.resolve();
        this.#options.logger.info(
          { name: this.#options.name, process: this.#child?.pid },
          "component serves",
        );
        if (this.#starts > 1 + this.#requestedStarts)
          this.#options.report(`${this.#options.name} serves again`);
        this.#enter("serving");
        return;
      case "progress":
        this.#options.report(message.text);
        return;
      case "failed":
        this.#failure = message.message;
        return;
      case "operators":
        this.#operators = message.operators;
        this.#options.changed();
        return;
      case "message":
        this.#options.receive?.(message.message);
        return;
      case "loaded":
      case "warmed":
      case "pong":
        return;
      default:
        message satisfies never;
    }
  }

  #enter(state: ComponentState): void {
    if (state === this.#state && state !== "serving") return;
    this.#state = state;
    this.#since = this.#options.clock.now();
    this.#nextState.resolve();
    this.#nextState = Promise.withResolvers();
    this.#options.changed();
  }

  /** Sends a message to the process. Returns false if no process is running. */
  #send(message: ToComponent<Settings>): boolean {
    // If the process has exited, its exit handler reports the error.
    if (!this.#child?.connected) return false;
    this.#child.send(message, () => undefined);
    return true;
  }
}

/** Process that waits for its start. */
interface Standby {
  readonly child: ChildProcess;
  /** Directory of the files that the process has opened. */
  readonly world: string;
  /** Resolves when the process has opened the files, or has exited. */
  readonly ready: Promise<void>;
}
