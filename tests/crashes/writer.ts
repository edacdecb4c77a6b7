import { setTimeout as delay } from "node:timers/promises";
import { failureKind } from "./outage.ts";

export interface WriteResult {
  readonly acknowledged: number;
  /** Acknowledged writes that a later read did not return. */
  readonly lost: number;
  /** Writes without a response, or with an error, by kind. */
  readonly failures: Readonly<Record<string, number>>;
}

export interface WriteTarget {
  readonly pauseMs: number;
  /** Sends one write. Rejects if it was not acknowledged. */
  write(signal: AbortSignal): Promise<void>;
  /** Returns the number of acknowledged writes that are lost. */
  readBack(signal: AbortSignal): Promise<number>;
}

/** Writes in a loop until `stop`. Requests have no limit: a suspended server responds when it continues. */
export class Writer {
  readonly #target: WriteTarget;
  readonly #signal: AbortSignal;
  readonly #stop = new AbortController();
  readonly #failures: Record<string, number> = {};
  readonly #done: Promise<void>;
  #acknowledged = 0;

  /** `signal`: end of the case. */
  constructor(target: WriteTarget, signal: AbortSignal) {
    this.#target = target;
    this.#signal = signal;
    this.#done = this.#repeat();
  }

  /** Stops the loop and reads the data back. */
  async stop(): Promise<WriteResult> {
    this.#stop.abort();
    await this.#done;
    const lost = await this.#target.readBack(this.#signal);
    return { acknowledged: this.#acknowledged, lost, failures: this.#failures };
  }

  async #repeat(): Promise<void> {
    while (!this.#stop.signal.aborted && !this.#signal.aborted) {
      try {
        await this.#target.write(this.#signal);
        this.#acknowledged++;
      } catch (error) {
        const kind = error instanceof Refused ? error.message : failureKind(error);
        this.#failures[kind] = (this.#failures[kind] ?? 0) + 1;
      }
      await delay(this.#target.pauseMs, undefined, { signal: this.#stop.signal }).catch(() => undefined);
    }
  }
}

/** Response with an error status. */
export class Refused extends Error {}
