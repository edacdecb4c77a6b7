import type { Clock } from "@keelson/base";
import { LogBuffer } from "../containers/log-buffer.ts";
import type { ContainerRun, Ending } from "./container-run.ts";

/** Output and result of a container that runs outside this process. */
export class RunOutput {
  readonly log = new LogBuffer();
  readonly startedAt: Date;
  readonly #clock: Clock;
  readonly #listeners = new Set<(stream: "stdout" | "stderr", chunk: Uint8Array | string) => void>();
  readonly #ended = Promise.withResolvers<Ending>();
  readonly #over = new AbortController();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.startedAt = clock.now();
  }

  write(stream: "stdout" | "stderr", chunk: Uint8Array | string): void {
    this.log.append(stream, chunk, this.#clock.now());
    for (const listener of this.#listeners) listener(stream, chunk);
  }

  end(ending: Ending): void {
    this.log.close(this.#clock.now());
    this.#over.abort();
    this.#ended.resolve(ending);
  }

  /** Returns a complete container run. `own` contains the properties of the specific run type. */
  run(own: Pick<ContainerRun, "input" | "stop" | "hostPorts">): ContainerRun {
    return {
      startedAt: this.startedAt,
      log: this.log,
      ended: this.#ended.promise,
      over: this.#over.signal,
      listen: (listener) => {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      },
      ...own,
    };
  }
}

/** Converts an exit code to the result of a run. */
export function endingOf(exitCode: number): Ending {
  return { exitCode, reason: exitCode === 0 ? "Completed" : "Error" };
}
