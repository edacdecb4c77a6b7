import { RE2JS } from "re2js";

/** Maximum length of an expression in characters. */
const maxPattern = 10_000;
/** Maximum number of instructions of a compiled expression. */
const maxProgramSize = 20_000;

/** Start and end of a match. */
type Span = readonly [start: number, end: number];

export interface PosixPatternOptions {
  /** True for an extended expression (ERE), false for a basic one (BRE). */
  readonly extended: boolean;
  readonly ignoreCase?: boolean;
}

/**
 * POSIX regular expression (XBD chapter 9) with the GNU and BusyBox extensions `\+`, `\?`, `\|`, `\w`, `\s`, `\b`, `\<` and `\>`.
 * Of the leftmost matches, the pattern returns the longest. Back-references are rejected because RE2, which guarantees linear run
 * time, does not support them.
 */
export class PosixPattern {
  readonly #compiled: RE2JS;

  /** Compiles an expression. @throws Error if the expression is invalid or too large */
  constructor(source: string, { extended, ignoreCase = false }: PosixPatternOptions) {
    if (source.length > maxPattern) throw new Error("the expression is too long");
    const flags = RE2JS.DOTALL | RE2JS.LONGEST_MATCH | (ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
    try {
      this.#compiled = RE2JS.compile(new Translation(source, extended).result(), flags);
    } catch (cause) {
      const why = cause instanceof UnsupportedError ? cause.message : "not a regular expression";
      throw new Error(`bad regex '${source}': ${why}`, { cause });
    }
    if (this.#compiled.programSize() > maxProgramSize) throw new Error("the expression is too large");
  }

  test(text: string): boolean {
    return this.#compiled.matcher(text).find();
  }

  /** Yields the matches from left to right. An empty match never directly follows another match. */
  *matches(text: string): Generator<Span, void, undefined> {
    const matcher = this.#compiled.matcher(text);
    let lastEnd = -1;
    while (matcher.find()) {
      const [start, end] = [matcher.start(), matcher.end()];
      if (start === end && start === lastEnd) continue;
      lastEnd = end;
      yield [start, end];
    }
  }
}

class UnsupportedError extends Error {}

/** RE2 replacements for escapes that RE2 does not support. */
const escapes: Readonly<Record<string, string>> = {
  n: "\\n",
  t: "\\t",
  r: "\\r",
  f: "\\f",
  v: "\\v",
  a: "\\x07",
  w: "[0-9A-Za-z_]",
  W: "[^0-9A-Za-z_]",
  s: "\\s",
  S: "\\S",
  b: "\\b",
  B: "\\B",
  "<": "\\b",
  ">": "\\b",
  "`": "\\A",
  "'": "\\z",
};

/** Translates a POSIX expression to RE2. */
class Translation {
  readonly #source: string;
  readonly #extended: boolean;
  #at = 0;
  #out = "";
  /** True at a position where no repetition operator can follow, for example at the start of a group. */
  #begins = true;
  #depth = 0;

  constructor(source: string, extended: boolean) {
    this.#source = source;
    this.#extended = extended;
  }

  result(): string {
    while (this.#at < this.#source.length) this.#next();
    return this.#out;
  }

  #next(): void {
    const letter = this.#source[this.#at] ?? "";
    if (letter === "[") this.#bracket();
    else if (letter === "\\") this.#escape();
    else {
      this.#at += 1;
      if (letter === ".") this.#atom(".");
      else if (letter === "^") this.#start();
      else if (letter === "$") this.#atom(this.#endsHere() ? "\\z" : "\\$");
      else if (letter === "*" || (this.#extended && "(){}|+?".includes(letter))) this.#operator(letter);
      else this.#atom(quote(letter));
    }
  }

  #escape(): void {
    const letter = this.#source[this.#at + 1];
    if (letter === undefined) throw new UnsupportedError("trailing backslash");
    this.#at += 2;
    if (!this.#extended && "(){}|+?".includes(letter)) this.#operator(letter);
    else if (/[1-9]/.test(letter)) throw new UnsupportedError("back-references are not supported");
    else this.#atom(Object.hasOwn(escapes, letter) ? (escapes[letter] ?? "") : quote(letter));
  }

  #start(): void {
    if (this.#extended || this.#begins) this.#out += "\\A";
    else this.#atom("\\^");
  }

  #endsHere(): boolean {
    const rest = this.#source.slice(this.#at);
    return this.#extended || rest === "" || rest.startsWith("\\)") || rest.startsWith("\\|");
  }

  #atom(text: string): void {
    this.#out += text;
    this.#begins = false;
  }

  #operator(letter: string): void {
    if (letter === "(") {
      this.#depth += 1;
      this.#out += "(";
      this.#begins = true;
    } else if (letter === ")" && this.#depth === 0 && this.#extended) this.#atom("\\)");
    else if (letter === ")") {
      this.#depth -= 1;
      this.#atom(")");
    } else if (letter === "|") {
      this.#out += "|";
      this.#begins = true;
    } else if (letter === "{") this.#interval();
    else if (letter === "}" || this.#begins) this.#atom(quote(letter));
    // RE2 would interpret the second of two repetition operators as lazy matching, so both are combined.
    else if (/[^\\][*+?]$/.test(this.#out)) this.#out = repeatAgain(this.#out, letter);
    else this.#out += letter;
  }

  #interval(): void {
    const close = this.#extended ? "}" : "\\}";
    const found = /^(\d+)(,(\d*))?/.exec(this.#source.slice(this.#at, this.#at + 20));
    if (this.#begins || !found || !this.#source.startsWith(close, this.#at + found[0].length))
      this.#atom("\\{");
    else {
      this.#at += found[0].length + close.length;
      this.#out += `{${found[0]}}`;
    }
  }

  /** Parses a bracket expression. A backslash is literal unless it starts an escape sequence, for example for a tab. */
  #bracket(): void {
    const start = this.#at;
    let at = this.#at + 1;
    let out = "[";
    if (this.#source[at] === "^") {
      out += "^";
      at += 1;
    }
    for (let first = true; ; first = false) {
      const letter = this.#source[at];
      if (letter === undefined) throw new UnsupportedError(`unmatched [ at ${start}`);
      if (letter === "]" && !first) break;
      const named = /^\[:([a-z]+):\]/.exec(this.#source.slice(at, at + 20));
      if (named) {
        out += named[0];
        at += named[0].length;
        continue;
      }
      const next = this.#source[at + 1] ?? "";
      if (letter === "\\" && /[ntrfv\\\]/]/.test(next)) {
        out += next === "/" ? "/" : `\\${next}`;
        at += 2;
        continue;
      }
      out += /[\\[\]&~^]/.test(letter) ? `\\${letter}` : letter;
      at += 1;
    }
    this.#at = at + 1;
    this.#atom(`${out}]`);
  }
}

function quote(letter: string): string {
  return /[\\^$.*+?()[\]{}|]/.test(letter) ? `\\${letter}` : letter;
}

/** Combines doubled repetition operators, for example `a*+`, into one. */
function repeatAgain(text: string, letter: string): string {
  const last = text.at(-1);
  return last === letter ? text : `${text.slice(0, -1)}*`;
}
