import process from "node:process";

/** Reports long work: one line that is rewritten on a terminal, plain lines elsewhere. Writes to standard error. */
export class Progress implements Disposable {
  readonly #terminal = process.stderr.isTTY === true && process.env.TERM !== "dumb";
  readonly #startedMs = performance.now();
  #last = "";
  #open = false;

  /** A state that the next one replaces, for example the steps running now. */
  update(text: string): void {
    if (text === this.#last) return;
    this.#last = text;
    if (this.#terminal) {
      process.stderr.write(`\r\x1b[K${this.#line(text).slice(0, (process.stderr.columns || 80) - 1)}`);
      this.#open = true;
    } else {
      process.stderr.write(`${this.#line(text)}\n`);
    }
  }

  /** A fact that stays. */
  say(text: string): void {
    if (this.#open) process.stderr.write("\r\x1b[K");
    this.#open = false;
    process.stderr.write(`${this.#line(text)}\n`);
  }

  /** Ends the line, so that further output begins a new one. */
  end(): void {
    if (this.#open) process.stderr.write("\n");
    this.#open = false;
  }

  [Symbol.dispose](): void {
    this.end();
  }

  #line(text: string): string {
    return `${((performance.now() - this.#startedMs) / 1000).toFixed(1).padStart(6)} s  ${text}`.trimEnd();
  }
}
