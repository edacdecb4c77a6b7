import { printable } from "../text/printable.ts";

/** Maximum length of a line in characters. Longer lines are truncated. */
const maxLineLength = 16_384;

/** Splits the bytes of a log into printable lines as soon as they arrive. */
export class LogLines {
  readonly #decoder = new TextDecoder();
  #rest = "";
  #cut = false;

  /** True if a line was truncated. */
  get cut(): boolean {
    return this.#cut;
  }

  /** Returns the lines that this chunk completes. */
  push(chunk: Uint8Array): readonly string[] {
    const parts = this.#decoder.decode(chunk, { stream: true }).split("\n");
    const last = parts.pop() ?? "";
    if (parts.length === 0) {
      this.#rest = this.#bounded(this.#rest + last);
      return [];
    }
    const [first = "", ...others] = parts;
    const lines = [this.#rest + first, ...others].map((line) => this.#finish(line));
    this.#rest = this.#bounded(last);
    return lines;
  }

  /** Returns the last line if the log does not end with a line break. */
  end(): readonly string[] {
    const rest = this.#rest + this.#decoder.decode();
    this.#rest = "";
    return rest === "" ? [] : [this.#finish(rest)];
  }

  #finish(line: string): string {
    return printable(this.#bounded(line.endsWith("\r") ? line.slice(0, -1) : line));
  }

  #bounded(line: string): string {
    if (line.length <= maxLineLength) return line;
    this.#cut = true;
    return line.slice(0, maxLineLength);
  }
}
