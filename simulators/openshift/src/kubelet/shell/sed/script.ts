import { PosixPattern } from "../posix-pattern.ts";

export type Address =
  | { readonly kind: "line"; readonly line: number }
  | { readonly kind: "last" }
  /** Every `step`th line from `first` on. */
  | { readonly kind: "step"; readonly first: number; readonly step: number }
  /** `undefined` is the expression that was used last. */
  | { readonly kind: "pattern"; readonly pattern: PosixPattern | undefined }
  /** The end of a range: so many lines behind its beginning. */
  | { readonly kind: "plus"; readonly lines: number };

export interface Substitution {
  readonly pattern: PosixPattern | undefined;
  /** Text, groups (`0` is the whole match) and changes of case. */
  readonly replacement: readonly ReplacementPart[];
  readonly global: boolean;
  /** The first match that is replaced, from 1 on. */
  readonly nth: number;
  readonly print: boolean;
}

export type ReplacementPart =
  | string
  | { readonly group: number }
  | { readonly fold: "U" | "L" | "u" | "l" | "E" };

/** A command of a script. Blocks are flat: `{` knows where its `}` is. */
export interface SedCommand {
  readonly from?: Address;
  readonly to?: Address;
  readonly negated: boolean;
  readonly name: string;
  /** What `a`, `i` and `c` write, and the label of `b`, `t`, `T` and `:`. */
  readonly text: string;
  readonly substitution?: Substitution;
  /** What `y` replaces. */
  readonly map?: ReadonlyMap<string, string>;
  /** The index behind the block's end, or that of a jump's label. */
  target: number;
}

/** @throws Error that says what is wrong with the script */
export function parseSedScript(source: string, extended: boolean): readonly SedCommand[] {
  return new ScriptParser(source, extended).parse();
}

const maxCommands = 1_000;
const maxNested = 100;

class ScriptParser {
  readonly #source: string;
  readonly #extended: boolean;
  readonly #commands: SedCommand[] = [];
  #at = 0;

  constructor(source: string, extended: boolean) {
    this.#source = source;
    this.#extended = extended;
  }

  parse(): readonly SedCommand[] {
    const open: SedCommand[] = [];
    for (;;) {
      this.#skip(/[\s;]/);
      if (this.#at >= this.#source.length) break;
      const command = this.#command();
      if (this.#commands.length >= maxCommands) throw new Error("the script is too long");
      if (command.name === "{") {
        if (open.length >= maxNested) throw new Error("nested too deeply");
        open.push(command);
      }
      if (command.name === "}") {
        const start = open.pop();
        if (!start) throw new Error("unexpected '}'");
        start.target = this.#commands.length;
        continue;
      }
      this.#commands.push(command);
    }
    if (open.length > 0) throw new Error("unmatched '{'");
    const labels = new Map(
      this.#commands.flatMap(({ name, text }, index) => (name === ":" ? [[text, index] as const] : [])),
    );
    for (const command of this.#commands) {
      if (!"btT".includes(command.name)) continue;
      const target = command.text === "" ? this.#commands.length : labels.get(command.text);
      if (target === undefined) throw new Error(`can't find label for jump to '${command.text}'`);
      command.target = target;
    }
    return this.#commands;
  }

  #command(): SedCommand {
    const from = this.#address();
    let to: Address | undefined;
    if (from && this.#peek() === ",") {
      this.#at += 1;
      this.#skip(/\s/);
      to = this.#endOfRange();
      if (!to) throw new Error("unexpected ','");
    }
    this.#skip(/\s/);
    const negated = this.#peek() === "!";
    this.#skip(/[!\s]/);
    const name = this.#take();
    const base = { ...(from ? { from } : {}), ...(to ? { to } : {}), negated, name, text: "", target: 0 };
    if (name === "s") return { ...base, substitution: this.#substitution() };
    if (name === "y") return { ...base, map: this.#map() };
    if ("aic".includes(name) && name !== "") return { ...base, text: this.#lines() };
    if (name === ":") {
      if (from) throw new Error("a label takes no address");
      return { ...base, text: this.#word(/[\n;]/) };
    }
    if ("btT".includes(name) && name !== "") return { ...base, text: this.#word(/[\n;}]/) };
    if ("qQ".includes(name) && name !== "") {
      this.#skip(/[ \t]/);
      const code = /^\d{1,3}/.exec(this.#source.slice(this.#at, this.#at + 3))?.[0] ?? "";
      this.#at += code.length;
      return { ...base, text: this.#ended(code) };
    }
    if (name === "{" || name === "}") return base;
    if (name !== "" && "=dDgGhHlnNpPxz".includes(name)) return { ...base, text: this.#ended("") };
    throw new Error(name === "" ? "missing command" : `unsupported command ${name}`);
  }

  #endOfRange(): Address | undefined {
    const plus = /^\+(\d{1,9})/.exec(this.#source.slice(this.#at, this.#at + 11));
    if (!plus) return this.#address();
    this.#at += plus[0].length;
    return { kind: "plus", lines: Number(plus[1]) };
  }

  #address(): Address | undefined {
    const number = /^(\d{1,9})(~(\d{1,9}))?/.exec(this.#source.slice(this.#at, this.#at + 20));
    if (number) {
      this.#at += number[0].length;
      if (number[3] === undefined) return { kind: "line", line: Number(number[1]) };
      return { kind: "step", first: Number(number[1]), step: Number(number[3]) };
    }
    const letter = this.#peek();
    if (letter === "$") {
      this.#at += 1;
      return { kind: "last" };
    }
    if (letter !== "/" && letter !== "\\") return undefined;
    this.#at += letter === "/" ? 1 : 2;
    const source = this.#upTo(this.#source[this.#at - 1] ?? "");
    const ignoreCase = this.#peek() === "I";
    if (ignoreCase) this.#at += 1;
    return { kind: "pattern", pattern: this.#pattern(source, ignoreCase) };
  }

  #substitution(): Substitution {
    const delimiter = this.#take();
    if (delimiter === "" || delimiter === "\n" || delimiter === "\\")
      throw new Error("unterminated s command");
    const source = this.#upTo(delimiter);
    const replacement = this.#upTo(delimiter, true);
    const [flags = ""] = /^[gpiI\d]*/.exec(this.#source.slice(this.#at, this.#at + 20)) ?? [];
    this.#at += flags.length;
    this.#ended("");
    const pattern = this.#pattern(source, /[iI]/.test(flags));
    const parts = partsOf(replacement);
    for (const part of parts) {
      if (typeof part === "object" && "group" in part && pattern && part.group > pattern.groups)
        throw new Error(`invalid reference \\${part.group} in s command`);
    }
    const nth = Number(/\d+/.exec(flags)?.[0] ?? 1);
    if (nth === 0) throw new Error("the number of s may not be zero");
    return { pattern, replacement: parts, global: flags.includes("g"), nth, print: flags.includes("p") };
  }

  #map(): ReadonlyMap<string, string> {
    const delimiter = this.#take();
    const plain = (text: string) => [
      ...text.replace(/\\(.)/gs, (_, letter: string) => (letter === "n" ? "\n" : letter)),
    ];
    const from = plain(this.#upTo(delimiter));
    const to = plain(this.#upTo(delimiter));
    if (from.length !== to.length) throw new Error("strings for y command are different lengths");
    this.#ended("");
    return new Map(from.map((letter, index) => [letter, to[index] ?? ""]));
  }

  /** The text of `a`, `i` and `c`: to the end of the line, and on where that ends with a backslash. */
  #lines(): string {
    this.#skip(/[ \t]/);
    if (this.#peek() === "\\") {
      this.#at += 1;
      this.#skip(/[ \t]/);
      if (this.#peek() === "\n") this.#at += 1;
    }
    let text = "";
    for (let letter = this.#take(); letter !== "" && letter !== "\n"; letter = this.#take())
      text += letter === "\\" ? this.#take() : letter;
    return `${text}\n`;
  }

  #pattern(source: string, ignoreCase: boolean): PosixPattern | undefined {
    return source === "" ? undefined : new PosixPattern(source, { extended: this.#extended, ignoreCase });
  }

  /** What stands before the delimiter; a quoted delimiter is the letter itself. */
  #upTo(delimiter: string, plain = false): string {
    let text = "";
    let bracket = false;
    for (;;) {
      const letter = this.#take();
      if (letter === "") throw new Error(`unterminated '${delimiter}'`);
      if (letter === "\\") {
        const next = this.#take();
        text += next === delimiter ? next : `\\${next}`;
        continue;
      }
      if (letter === delimiter && !bracket) return text;
      if (!plain && letter === "[" && !bracket) bracket = this.#source.indexOf("]", this.#at + 1) > 0;
      else if (letter === "]" && bracket && !/\[\^?$/.test(text)) bracket = false;
      text += letter;
    }
  }

  #word(end: RegExp): string {
    this.#skip(/[ \t]/);
    let text = "";
    while (this.#at < this.#source.length && !end.test(this.#peek())) text += this.#take();
    return text.trim();
  }

  /** Nothing but spaces may follow on the line, or the next command. */
  #ended<T>(value: T): T {
    this.#skip(/[ \t]/);
    const letter = this.#peek();
    if (letter === "#") this.#word(/\n/);
    else if (letter !== "" && !"\n;}".includes(letter)) throw new Error("extra characters after command");
    return value;
  }

  #skip(letters: RegExp): void {
    while (this.#at < this.#source.length && (letters.test(this.#peek()) || this.#peek() === "#")) {
      if (this.#peek() === "#") {
        if (!letters.test("\n")) return;
        while (this.#at < this.#source.length && this.#peek() !== "\n") this.#at += 1;
      } else this.#at += 1;
    }
  }

  #peek(): string {
    return this.#source[this.#at] ?? "";
  }

  #take(): string {
    const letter = this.#peek();
    this.#at += 1;
    return letter;
  }
}

function partsOf(text: string): readonly ReplacementPart[] {
  const parts: ReplacementPart[] = [];
  let plain = "";
  const add = (part: ReplacementPart) => {
    if (plain !== "") parts.push(plain);
    plain = "";
    parts.push(part);
  };
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] ?? "";
    if (letter === "&") add({ group: 0 });
    else if (letter !== "\\") plain += letter;
    else {
      const next = text[++at] ?? "";
      if (/\d/.test(next)) add({ group: Number(next) });
      else if (next === "U" || next === "L" || next === "u" || next === "l" || next === "E")
        add({ fold: next });
      else plain += next === "n" ? "\n" : next === "t" ? "\t" : next;
    }
  }
  if (plain !== "") parts.push(plain);
  return parts;
}
