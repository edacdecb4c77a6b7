import type { InputLine } from "../input-lines.ts";
import type { Patterns } from "./patterns.ts";

const maxRecord = 1_024 * 1_024;

/** Cuts lines that come in into records, as RS says at each record: at line ends, blank lines, letters or expressions. */
export class RecordReader {
  readonly #lines: AsyncIterator<InputLine, unknown>;
  readonly #patterns: Patterns;
  #rest = "";
  #ended = false;
  /** The file of the line that was read last, and how many there were so far. */
  file = "";
  files = 0;

  constructor(lines: AsyncIterable<InputLine>, patterns: Patterns) {
    this.#lines = lines[Symbol.asyncIterator]();
    this.#patterns = patterns;
  }

  /** `undefined` at the end. */
  async next(separator: string): Promise<string | undefined> {
    if (separator === "") return this.#paragraph();
    if (separator === "\n" && this.#rest === "") {
      const line = await this.#line();
      return line?.text;
    }
    for (;;) {
      const cut = this.#cut(separator);
      if (cut !== undefined) return cut;
      const line = this.#ended ? undefined : await this.#line();
      if (line === undefined) {
        const rest = this.#rest;
        this.#rest = "";
        return rest === "" ? undefined : rest;
      }
      this.#add(`${line.text}${line.ended ? "\n" : ""}`);
    }
  }

  /** Leaves what is left of the present file. */
  async skipFile(): Promise<void> {
    this.#rest = "";
    while (!this.#ended) {
      const line = await this.#line();
      if (line?.first) {
        this.#rest = `${line.text}\n`;
        return;
      }
    }
  }

  #cut(separator: string): string | undefined {
    const plain = separator.length === 1;
    const at = plain ? this.#rest.indexOf(separator) : -1;
    const span = plain ? undefined : this.#patterns.of(separator).match(this.#rest)?.[0];
    const [start, end] = plain ? [at, at + 1] : (span ?? [-1, -1]);
    // A match at the very end of what was read might go on.
    if (start < 0 || (!plain && end === this.#rest.length && !this.#ended)) return undefined;
    if (start === end) return undefined;
    const record = this.#rest.slice(0, start);
    this.#rest = this.#rest.slice(end);
    return record;
  }

  async #paragraph(): Promise<string | undefined> {
    const lines: string[] = this.#rest === "" ? [] : [this.#rest.replace(/\n$/, "")];
    this.#rest = "";
    let length = 0;
    for (;;) {
      const line = await this.#line();
      if (line === undefined || line.text === "") {
        if (lines.length > 0) return lines.join("\n");
        if (line === undefined) return undefined;
        continue;
      }
      length += line.text.length;
      if (length > maxRecord) throw new Error("a record is too long");
      lines.push(line.text);
    }
  }

  async #line(): Promise<InputLine | undefined> {
    const read = await this.#lines.next();
    if (read.done) {
      this.#ended = true;
      return undefined;
    }
    this.file = read.value.file;
    if (read.value.first) this.files += 1;
    return read.value;
  }

  #add(text: string): void {
    this.#rest += text;
    if (this.#rest.length > maxRecord) throw new Error("a record is too long");
  }
}
