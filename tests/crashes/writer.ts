import { setTimeout as delay } from "node:timers/promises";
import { failureKind } from "./outage.ts";

export interface WriteResult {
  readonly acknowledged: number;
  /** Number of acknowledged writes that a later read did not return. */
  readonly lost: number;
  /** Number of failed writes by kind. Includes writes without a response. */
  readonly failures: Readonly<Record<string, number>>;
}

export interface WriteTarget {
  readonly pauseMs: number;
  /** Sends one write. Rejects if the write was not acknowledged. */
  write(signal: AbortSignal): Promise<void>;
  /** Reads the written data. Returns the number of acknowledged writes that were lost. */
  readBack(signal: AbortSignal): Promise<number>;
}

/** Writes in a loop until `stop`. Requests have no timeout because a suspended server responds after it continues. */
export class Writer {
  readonly #target: WriteTarget;
  readonly #signal: AbortSignal;
  readonly #stop = new AbortController();
  readonly #failures: Record<string, number> = {};
  readonly #done: Promise<void>;
  #acknowledged = 0;

  /** `signal` aborts at the end of the case. */
  constructor(target: WriteTarget, signal: AbortSignal) {
    this.#target = target;
    this.#signal = signal;
    this.#done = this.#repeat();
  }

  /** Stops the loop and verifies all acknowledged writes. */
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

/** Error response to a write. */
export class Refused extends Error {}
