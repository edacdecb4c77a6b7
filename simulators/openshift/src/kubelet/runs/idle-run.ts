import type { Clock } from "@keelson/base";
import { LogBuffer } from "../containers/log-buffer.ts";
import type { ContainerRun, Ending } from "./container-run.ts";

/**
 * Run of a container that does nothing until it is stopped, and that has no standard input. A large cluster has thousands of such
 * containers, so its log and its signal are created only when they are needed.
 */
export class IdleRun implements ContainerRun {
  readonly startedAt: Date;
  readonly input = undefined;
  readonly #clock: Clock;
  readonly #ended = Promise.withResolvers<Ending>();
  #log: LogBuffer | undefined;
  #over: AbortController | undefined;
  #isOver = false;

  constructor(startedAt: Date, clock: Clock) {
    this.startedAt = startedAt;
    this.#clock = clock;
  }

  get ended(): Promise<Ending> {
    return this.#ended.promise;
  }

  get log(): LogBuffer {
    if (!this.#log) {
      this.#log = new LogBuffer();
      if (this.#isOver) this.#log.close(this.#clock.now());
    }
    return this.#log;
  }

  get over(): AbortSignal {
    if (!this.#over) {
      this.#over = new AbortController();
      if (this.#isOver) this.#over.abort();
    }
    return this.#over.signal;
  }

  /** The container has no output, so the listener is never called. */
  listen(): () => void {
    return () => undefined;
  }

  stop(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#log?.close(this.#clock.now());
    this.#over?.abort();
    this.#ended.resolve({ exitCode: 0, reason: "Completed" });
  }
}
