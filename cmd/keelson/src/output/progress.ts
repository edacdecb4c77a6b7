import process from "node:process";
import { type Clock, systemClock } from "@keelson/base";
import { asInvoked } from "./invocation.ts";

/** Interval, in ms, at which the last progress line is repeated during a wait. */
const repeatMs = 5_000;

/** Interface of the terminal or stream to which progress is written. */
export interface ProgressOutput {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface ProgressOptions {
  /** Destination of the progress lines. Default: standard error. */
  readonly output?: ProgressOutput;
  /** Clock for the elapsed time. Default: the system clock. */
  readonly clock?: Clock;
}

/**
 * Reports the progress of long operations. On a terminal, each update rewrites the same line. In all other outputs, each update
 * appends a line. After five seconds without an update, the last line is shown again with the current elapsed time.
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

  /** Shows a temporary state, for example the active steps. The next update replaces it. */
  update(text: string): void {
    if (text === this.#last) return;
    this.#stopRepetition();
    this.#last = text;
    this.#show(text);
    void this.#repeat(text, this.#repetition.signal);
  }

  /** Prints a permanent line. */
  say(text: string): void {
    this.#stopRepetition();
    if (this.#open) this.#output.write("\r\x1b[K");
    this.#open = false;
    this.#output.write(`${this.#line(asInvoked(text))}\n`);
  }

  /** Ends the current line, so that further output starts on a new line. */
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
