import process from "node:process";
import { type Clock, systemClock } from "@keelson/base";
import { asInvoked } from "./invocation.ts";

/** Lines at this interval show that a wait continues. */
const repeatMs = 5_000;

/** The part of a terminal or stream that progress uses. */
export interface ProgressOutput {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface ProgressOptions {
  /** Default: standard error. */
  readonly output?: ProgressOutput;
  /** Default: the system's clock. */
  readonly clock?: Clock;
}

/**
 * Reports long work: one line that is rewritten on a terminal, plain lines elsewhere. The last update is repeated every
 * five seconds with the elapsed time until the next report.
 */
export class Progress implements Disposable {
  readonly #output: ProgressOutput;
  readonly #clock: Clock;
  readonly #terminal: boolean;
  readonly #startedMs: number;
  #last = "";
  #open = false;
  #repetition = new AbortController();

  constructor({ output = process.stderr, clock = systemClock }: ProgressOptions = {}) {
    this.#output = output;
    this.#clock = clock;
    this.#terminal = output.isTTY === true && process.env.TERM !== "dumb";
    this.#startedMs = clock.monotonicMs();
  }

  /** A state that the next one replaces, for example the steps running now. */
  update(text: string): void {
    if (text === this.#last) return;
    this.#stopRepetition();
    this.#last = text;
    this.#show(text);
    void this.#repeat(text, this.#repetition.signal);
  }

  /** A fact that stays. */
  say(text: string): void {
    this.#stopRepetition();
    if (this.#open) this.#output.write("\r\x1b[K");
    this.#open = false;
    this.#output.write(`${this.#line(asInvoked(text))}\n`);
  }

  /** Ends the line, so that further output begins a new one. */
  end(): void {
    this.#stopRepetition();
    if (this.#open) this.#output.write("\n");
    this.#open = false;
  }

  [Symbol.dispose](): void {
    this.end();
  }

  async #repeat(text: string, signal: AbortSignal): Promise<void> {
    for (;;) {
      await this.#clock.sleep(repeatMs, signal).catch(() => undefined);
      if (signal.aborted) return;
      this.#show(text);
    }
  }

  #stopRepetition(): void {
    this.#repetition.abort();
    this.#repetition = new AbortController();
    this.#last = "";
  }

  #show(text: string): void {
    if (this.#terminal) {
      this.#output.write(`\r\x1b[K${this.#line(text).slice(0, (this.#output.columns || 80) - 1)}`);
      this.#open = true;
    } else {
      this.#output.write(`${this.#line(text)}\n`);
    }
  }

  #line(text: string): string {
    const seconds = (this.#clock.monotonicMs() - this.#startedMs) / 1_000;
    return `${seconds.toFixed(1).padStart(6)} s  ${text}`.trimEnd();
  }
}
