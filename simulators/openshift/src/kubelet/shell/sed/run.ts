import type { Output } from "../command.ts";
import type { InputLine, Turn } from "../input-lines.ts";
import type { PosixPattern, Span } from "../posix-pattern.ts";
import type { Address, ReplacementPart, SedCommand, Substitution } from "./script.ts";

/** What the pattern and hold spaces may hold. */
const maxSpaceLength = 1_024 * 1_024;

export interface SedRunOptions {
  readonly commands: readonly SedCommand[];
  /** `-n`: nothing is printed by itself. */
  readonly quiet: boolean;
  readonly turn: Turn;
  readonly write: Output;
}

/** How a cycle goes on. */
type Next = "print" | "silent" | "again" | { readonly quit: number; readonly print: boolean };

/** Runs a script over lines, one cycle for each. */
export class SedRun {
  readonly #options: SedRunOptions;
  /** The line on which an active range began, for each command. */
  readonly #ranges = new Map<SedCommand, number>();
  #lines: AsyncIterator<InputLine> | undefined;
  #ahead: InputLine | undefined;
  #current = "";
  #space = "";
  #hold = "";
  #ended = true;
  #line = 0;
  #substituted = false;
  #appended: string[] = [];
  #lastPattern: PosixPattern | undefined;

  constructor(options: SedRunOptions) {
    this.#options = options;
  }

  /** Gives the status of a `q` or `Q`, `undefined` at the end of the lines. */
  async process(lines: AsyncIterable<InputLine>): Promise<number | undefined> {
    this.#lines = lines[Symbol.asyncIterator]();
    this.#ahead = await this.#read();
    while (await this.#advance()) {
      this.#space = this.#current;
      for (;;) {
        const next = await this.#cycle();
        if (next === "print" || (typeof next === "object" && next.print)) await this.#print();
        await this.#flush();
        if (typeof next === "object") return next.quit;
        if (next !== "again") break;
      }
    }
    return undefined;
  }

  /** The next line; false at the end. */
  async #advance(): Promise<boolean> {
    if (!this.#ahead) return false;
    this.#current = this.#ahead.text;
    this.#ended = this.#ahead.ended;
    this.#line += 1;
    this.#ahead = await this.#read();
    return true;
  }

  async #read(): Promise<InputLine | undefined> {
    const read = await this.#lines?.next();
    return read === undefined || read.done ? undefined : read.value;
  }

  async #cycle(): Promise<Next> {
    const { commands, turn, quiet, write } = this.#options;
    this.#substituted = false;
    for (let at = 0; at < commands.length; at++) {
      if (turn.isOver) await turn.pass();
      const command = commands[at];
      if (!command) break;
      if (this.#applies(command) === command.negated) {
        if (command.name === "{") at = command.target - 1;
        continue;
      }
      switch (command.name) {
        case "s":
          if (command.substitution) await this.#substitute(command.substitution);
          break;
        case "y":
          this.#space = [...this.#space].map((letter) => command.map?.get(letter) ?? letter).join("");
          break;
        case "d":
          return "silent";
        case "D": {
          const end = this.#space.indexOf("\n");
          if (end < 0) return "silent";
          this.#space = this.#space.slice(end + 1);
          return "again";
        }
        case "p":
          await this.#print(true);
          break;
        case "P":
          await write(`${this.#space.split("\n", 1)[0]}\n`);
          break;
        case "n":
          if (!this.#ahead) return quiet ? "silent" : "print";
          if (!quiet) await this.#print(true);
          await this.#flush();
          await this.#advance();
          this.#space = this.#current;
          break;
        case "N":
          if (!this.#ahead) return "print";
          await this.#flush();
          await this.#advance();
          this.#space = bounded(`${this.#space}\n${this.#current}`);
          break;
        case "g":
          this.#space = this.#hold;
          break;
        case "G":
          this.#space = bounded(`${this.#space}\n${this.#hold}`);
          break;
        case "h":
          this.#hold = this.#space;
          break;
        case "H":
          this.#hold = bounded(`${this.#hold}\n${this.#space}`);
          break;
        case "x":
          [this.#space, this.#hold] = [this.#hold, this.#space];
          break;
        case "z":
          this.#space = "";
          break;
        case "=":
          await write(`${this.#line}\n`);
          break;
        case "l":
          await write(`${visible(this.#space)}$\n`);
          break;
        case "a":
          this.#appended.push(command.text);
          break;
        case "i":
          await write(command.text);
          break;
        case "c":
          if (!command.to || command.negated || !this.#ranges.has(command)) await write(command.text);
          return "silent";
        case "q":
        case "Q":
          return { quit: Number(command.text || 0), print: command.name === "q" };
        case "b":
          at = command.target - 1;
          break;
        case "t":
        case "T":
          if (this.#substituted === (command.name === "t")) at = command.target - 1;
          this.#substituted = false;
          break;
      }
    }
    return "print";
  }

  #applies(command: SedCommand): boolean {
    const { from, to } = command;
    if (!from) return true;
    if (!to) return this.#fits(from);
    const began = this.#ranges.get(command);
    if (began === undefined) {
      const before = from.kind === "line" && from.line === 0;
      if (!before && !this.#fits(from)) return false;
      const ends =
        (to.kind === "line" && to.line <= this.#line) ||
        (to.kind === "plus" && to.lines === 0) ||
        (before && this.#line === 1 && this.#fits(to));
      if (before && this.#line > 1) return false;
      if (!ends) this.#ranges.set(command, this.#line);
      return true;
    }
    const over =
      to.kind === "line"
        ? this.#line >= to.line
        : to.kind === "plus"
          ? this.#line >= began + to.lines
          : this.#fits(to);
    if (over) this.#ranges.delete(command);
    // The line that a range should have ended on is past, because a command read on.
    return !(to.kind === "line" && this.#line > to.line);
  }

  #fits(address: Address): boolean {
    switch (address.kind) {
      case "line":
        return this.#line === address.line;
      case "last":
        return this.#ahead === undefined;
      case "step":
        if (address.step === 0) return this.#line === address.first;
        return this.#line >= address.first && (this.#line - address.first) % address.step === 0;
      case "pattern":
        return this.#patternOf(address.pattern).test(this.#space);
      case "plus":
        return false;
    }
  }

  #patternOf(pattern: PosixPattern | undefined): PosixPattern {
    const found = pattern ?? this.#lastPattern;
    if (!found) throw new Error("no previous regular expression");
    this.#lastPattern = found;
    return found;
  }

  async #substitute({ pattern, replacement, global, nth, print }: Substitution): Promise<void> {
    const text = this.#space;
    let out = "";
    let end = 0;
    let count = 0;
    for (const spans of this.#patternOf(pattern).matches(text)) {
      count += 1;
      if (count < nth) continue;
      const [[start, stop]] = spans;
      out = bounded(out + text.slice(end, start) + replaced(replacement, text, spans));
      end = stop;
      if (!global) break;
    }
    if (count < nth) return;
    this.#space = bounded(out + text.slice(end));
    this.#substituted = true;
    if (print) await this.#print(true);
  }

  /** Writes the pattern space; `within` a cycle always, at its end unless `-n` is given. */
  async #print(within = false): Promise<void> {
    if (this.#options.quiet && !within) return;
    const ended = this.#ended || this.#ahead !== undefined || within || this.#appended.length > 0;
    await this.#options.write(`${this.#space}${ended ? "\n" : ""}`);
  }

  async #flush(): Promise<void> {
    for (const text of this.#appended.splice(0)) await this.#options.write(text);
  }
}

function replaced(
  parts: readonly ReplacementPart[],
  text: string,
  spans: readonly (Span | undefined)[],
): string {
  let out = "";
  let fold: "U" | "L" | "E" = "E";
  let once: "u" | "l" | undefined;
  for (const part of parts) {
    if (typeof part === "object" && "fold" in part) {
      if (part.fold === "u" || part.fold === "l") once = part.fold;
      else fold = part.fold;
      continue;
    }
    const span = typeof part === "string" ? undefined : spans[part.group];
    const piece = typeof part === "string" ? part : span ? text.slice(span[0], span[1]) : "";
    if (piece === "") continue;
    const folded = fold === "U" ? piece.toUpperCase() : fold === "L" ? piece.toLowerCase() : piece;
    const first = folded.slice(0, 1);
    out +=
      (once === "u" ? first.toUpperCase() : once === "l" ? first.toLowerCase() : first) + folded.slice(1);
    once = undefined;
  }
  return out;
}

function visible(text: string): string {
  const named: Readonly<Record<string, string>> = { "\n": "\\n", "\t": "\\t", "\r": "\\r", "\\": "\\\\" };
  return text.replace(/[\\\n\t\r]/g, (letter) => named[letter] ?? letter);
}

function bounded(text: string): string {
  if (text.length > maxSpaceLength) throw new Error("the pattern space is too long");
  return text;
}
