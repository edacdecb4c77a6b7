/** Part of a word. A `quoted` part is not split and is not a file name pattern. */
export type WordPart =
  | { readonly kind: "text"; readonly text: string; readonly quoted: boolean }
  | {
      readonly kind: "variable";
      readonly name: string;
      /** Operator of a parameter expansion, for example `-` in `${name:-word}`. */
      readonly operator?: "-" | "+" | "=" | "?" | "#length" | Trim;
      readonly word?: Word;
      readonly quoted: boolean;
    }
  | { readonly kind: "output"; readonly list: List; readonly quoted: boolean }
  | { readonly kind: "arithmetic"; readonly text: Word; readonly quoted: boolean };

/** Removes a matching prefix (`#`) or suffix (`%`). The doubled operators remove the longest match. */
export type Trim = "#" | "##" | "%" | "%%";

export type Word = readonly WordPart[];

export interface Redirect {
  readonly descriptor: number;
  readonly operator: "<" | ">" | ">>" | ">&" | "<<";
  readonly target: Word;
  /** Variable that receives the number of the opened file descriptor. */
  readonly variable?: string;
}

export type Command =
  | {
      readonly kind: "simple";
      readonly assignments: readonly (readonly [string, Word])[];
      readonly words: readonly Word[];
      readonly redirects: readonly Redirect[];
    }
  | {
      readonly kind: "group";
      readonly list: List;
      readonly subshell: boolean;
      readonly redirects: readonly Redirect[];
    }
  | {
      readonly kind: "if";
      readonly branches: readonly (readonly [List, List])[];
      readonly otherwise: List | undefined;
      readonly redirects: readonly Redirect[];
    }
  | {
      readonly kind: "while";
      readonly condition: List;
      readonly until: boolean;
      readonly body: List;
      readonly redirects: readonly Redirect[];
    }
  | {
      readonly kind: "for";
      readonly name: string;
      readonly words: readonly Word[];
      readonly body: List;
      readonly redirects: readonly Redirect[];
    }
  | { readonly kind: "function"; readonly name: string; readonly body: Command };

export interface Pipeline {
  readonly negated: boolean;
  readonly commands: readonly Command[];
}

/**
 * Pipeline with the operator before it. If the operator is `&&` or `||`, the exit status of the previous pipeline decides whether
 * this pipeline runs.
 */
interface ListItem {
  readonly operator: ";" | "&&" | "||";
  readonly pipeline: Pipeline;
  readonly background: boolean;
}

export type List = readonly ListItem[];

export class ShellSyntaxError extends Error {}

const blank = /[ \t]/;
const special = /[ \t\n;&|<>()]/;
const nameAt = /[A-Za-z_][A-Za-z0-9_]*/y;
const maxDepth = 100;

/** Parses a script for the built-in shell, which supports a subset of POSIX sh (see the README). @throws ShellSyntaxError */
export function parseScript(text: string): List {
  const parser = new Parser(text);
  const list = parser.list([]);
  parser.expectEnd();
  return list;
}

/** First file descriptor that `{name}>file` assigns. */
const firstFreeDescriptor = 10;

/** Line continuation. It has no effect between single quotes. */
const joinedLines = "\\\n";

class Parser {
  readonly #text: string;
  #at = 0;
  #depth = 0;
  readonly #documents: {
    readonly end: string;
    readonly literal: boolean;
    readonly set: (word: Word) => void;
  }[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  expectEnd(): void {
    this.#skip(true);
    if (this.#at < this.#text.length) this.#fail(`unexpected "${this.#text[this.#at]}"`);
  }

  /** Parses a list of commands up to one of the words in `ends`. That word is not consumed. */
  list(ends: readonly string[]): List {
    if (++this.#depth > maxDepth) this.#fail("nested too deeply");
    const items: ListItem[] = [];
    let operator: ListItem["operator"] = ";";
    for (;;) {
      this.#skip(true);
      if (this.#at >= this.#text.length || this.#text[this.#at] === ")" || this.#peekWord(ends)) break;
      if (this.#text.startsWith(";;", this.#at)) break;
      const pipeline = this.#pipeline();
      this.#skip(false);
      let next: ListItem["operator"] = ";";
      let background = false;
      if (this.#take("&&")) next = "&&";
      else if (this.#take("||")) next = "||";
      else if (this.#take("&")) background = true;
      else if (this.#text[this.#at] === ";" && !this.#text.startsWith(";;", this.#at)) this.#at++;
      items.push({ operator, pipeline, background });
      operator = next;
    }
    this.#depth--;
    return items;
  }

  #pipeline(): Pipeline {
    const negated = this.#takeWord("!");
    const commands = [this.#command()];
    for (
      this.#skip(false);
      this.#text[this.#at] === "|" && this.#text[this.#at + 1] !== "|";
      this.#skip(false)
    ) {
      this.#at++;
      this.#skip(true);
      commands.push(this.#command());
    }
    return { negated, commands };
  }

  #command(): Command {
    this.#skip(false);
    if (this.#take("(")) {
      const list = this.list([]);
      this.#expect(")");
      return { kind: "group", list, subshell: true, redirects: this.#redirects() };
    }
    if (this.#takeWord("{")) {
      const list = this.list(["}"]);
      this.#expectWord("}");
      return { kind: "group", list, subshell: false, redirects: this.#redirects() };
    }
    if (this.#takeWord("if")) return this.#if();
    if (this.#takeWord("while")) return this.#while(false);
    if (this.#takeWord("until")) return this.#while(true);
    if (this.#takeWord("for")) return this.#for();
    return this.#simple();
  }

  #if(): Command {
    const branches: (readonly [List, List])[] = [];
    let otherwise: List | undefined;
    do {
      const condition = this.list(["then"]);
      this.#expectWord("then");
      branches.push([condition, this.list(["elif", "else", "fi"])]);
    } while (this.#takeWord("elif"));
    if (this.#takeWord("else")) otherwise = this.list(["fi"]);
    this.#expectWord("fi");
    return { kind: "if", branches, otherwise, redirects: this.#redirects() };
  }

  #while(until: boolean): Command {
    const condition = this.list(["do"]);
    return { kind: "while", condition, until, body: this.#body(), redirects: this.#redirects() };
  }

  #for(): Command {
    this.#skip(false);
    const name = this.#name() ?? this.#fail("a name is missing after for");
    const words: Word[] = [];
    this.#skip(true);
    if (this.#takeWord("in")) {
      for (
        this.#skip(false);
        this.#at < this.#text.length && !/[;\n]/.test(this.#text[this.#at] ?? "");
        this.#skip(false)
      ) {
        words.push(this.#word());
      }
    } else words.push([{ kind: "variable", name: "@", quoted: true }]);
    this.#skip(false);
    this.#take(";");
    return { kind: "for", name, words, body: this.#body(), redirects: this.#redirects() };
  }

  #body(): List {
    this.#skip(true);
    this.#expectWord("do");
    const body = this.list(["done"]);
    this.#expectWord("done");
    return body;
  }

  #simple(): Command {
    const assignments: (readonly [string, Word])[] = [];
    const words: Word[] = [];
    const redirects: Redirect[] = [];
    for (;;) {
      this.#skip(false);
      const redirect = this.#redirect();
      if (redirect) {
        redirects.push(redirect);
        continue;
      }
      if (this.#at >= this.#text.length || special.test(this.#text[this.#at] ?? "")) {
        const [first] = words;
        if (words.length === 1 && first?.length === 1 && first[0]?.kind === "text" && this.#take("()")) {
          this.#skip(true);
          return { kind: "function", name: first[0].text, body: this.#command() };
        }
        break;
      }
      const start = this.#at;
      const name = words.length === 0 ? this.#name() : undefined;
      if (name && this.#text[this.#at] === "=") {
        this.#at++;
        const empty = this.#at >= this.#text.length || special.test(this.#text[this.#at] ?? "");
        assignments.push([name, empty ? [] : this.#word()]);
        continue;
      }
      this.#at = start;
      words.push(this.#word());
    }
    if (words.length === 0 && assignments.length === 0 && redirects.length === 0) {
      this.#fail(this.#at < this.#text.length ? `unexpected "${this.#text[this.#at]}"` : "unexpected end");
    }
    return { kind: "simple", assignments, words, redirects };
  }

  #redirects(): readonly Redirect[] {
    const found: Redirect[] = [];
    for (;;) {
      this.#skip(false);
      const redirect = this.#redirect();
      if (!redirect) return found;
      found.push(redirect);
    }
  }

  #redirect(): Redirect | undefined {
    const match = /(?:(\d?)|\{([A-Za-z_]\w*)\})(<<-?|>>|>&|<|&>|>\|?)/y;
    match.lastIndex = this.#at;
    const found = match.exec(this.#text);
    if (!found) return undefined;
    this.#at = match.lastIndex;
    const [, digit = "", variable, sign = ""] = found;
    this.#skip(false);
    if (sign.startsWith("<<")) return this.#document();
    const target = this.#word();
    const descriptor = digit ? Number(digit) : sign === "<" ? 0 : sign === "&>" ? -1 : 1;
    const operator = sign === "<" || sign === ">>" || sign === ">&" ? sign : ">";
    return variable === undefined
      ? { descriptor, operator, target }
      : { descriptor: firstFreeDescriptor, operator, target, variable };
  }

  /** Parses a here-document. Its content starts at the next line. */
  #document(): Redirect {
    const word = this.#word();
    const end = word.map((part) => (part.kind === "text" ? part.text : "")).join("");
    const literal = word.some((part) => part.quoted);
    let target: Word = [];
    this.#documents.push({ end, literal, set: (lines) => (target = lines) });
    return {
      descriptor: 0,
      operator: "<<",
      get target() {
        return target;
      },
    };
  }

  #readDocuments(): void {
    for (const { end, literal, set } of this.#documents.splice(0)) {
      const lines: string[] = [];
      for (;;) {
        if (this.#at >= this.#text.length) break;
        const stop = this.#text.indexOf("\n", this.#at);
        const line = this.#text.slice(this.#at, stop < 0 ? undefined : stop);
        this.#at = stop < 0 ? this.#text.length : stop + 1;
        if (line.trimStart() === end) break;
        lines.push(`${line}\n`);
      }
      const text = lines.join("");
      set(literal ? [{ kind: "text", text, quoted: true }] : new Parser(text).quotedText());
    }
  }

  /** Parses the complete input by the rules for text in double quotes. */
  quotedText(): Word {
    const parts: WordPart[] = [];
    this.#doubleQuoted(parts, () => this.#at >= this.#text.length);
    return parts;
  }

  #word(): Word {
    const parts: WordPart[] = [];
    let text = "";
    const flush = () => {
      if (text) parts.push({ kind: "text", text, quoted: false });
      text = "";
    };
    while (this.#at < this.#text.length && !special.test(this.#text[this.#at] ?? "")) {
      const character = this.#text[this.#at] ?? "";
      if (character === "'") {
        flush();
        const end = this.#text.indexOf("'", this.#at + 1);
        if (end < 0) this.#fail("unterminated quoted string");
        parts.push({ kind: "text", text: this.#text.slice(this.#at + 1, end), quoted: true });
        this.#at = end + 1;
      } else if (character === '"') {
        flush();
        this.#at++;
        const before = parts.length;
        this.#doubleQuoted(parts, () => this.#text[this.#at] === '"');
        if (parts.length === before) parts.push({ kind: "text", text: "", quoted: true });
        this.#at++;
      } else if (this.#text.startsWith(joinedLines, this.#at)) this.#at += joinedLines.length;
      else if (character === "\\") {
        flush();
        parts.push({ kind: "text", text: this.#text[this.#at + 1] ?? "", quoted: true });
        this.#at += 2;
      } else if (character === "$" || character === "`") {
        flush();
        const part = this.#expansion(false);
        if (part) parts.push(part);
      } else {
        text += character;
        this.#at++;
      }
    }
    flush();
    if (parts.length === 0) this.#fail(`unexpected "${this.#text[this.#at] ?? "end"}"`);
    return parts;
  }

  #doubleQuoted(parts: WordPart[], ended: () => boolean): void {
    let text = "";
    const flush = () => {
      if (text) parts.push({ kind: "text", text, quoted: true });
      text = "";
    };
    while (!ended()) {
      if (this.#at >= this.#text.length) this.#fail("unterminated quoted string");
      const character = this.#text[this.#at] ?? "";
      const next = this.#text[this.#at + 1] ?? "";
      if (this.#text.startsWith(joinedLines, this.#at)) this.#at += joinedLines.length;
      else if (character === "\\" && '$`"\\'.includes(next) && next !== "") {
        text += next;
        this.#at += 2;
      } else if (character === "$" || character === "`") {
        flush();
        const part = this.#expansion(true);
        if (part) parts.push(part);
      } else {
        text += character;
        this.#at++;
      }
    }
    flush();
  }

  #expansion(quoted: boolean): WordPart | undefined {
    if (this.#take("`")) {
      const end = this.#text.indexOf("`", this.#at);
      if (end < 0) this.#fail("unterminated `");
      const list = parseScript(this.#text.slice(this.#at, end));
      this.#at = end + 1;
      return { kind: "output", list, quoted };
    }
    if (this.#take("$((")) {
      const end = this.#text.indexOf("))", this.#at);
      if (end < 0) this.#fail("unterminated $((");
      const text = new Parser(this.#text.slice(this.#at, end)).quotedText();
      this.#at = end + 2;
      return { kind: "arithmetic", text, quoted };
    }
    if (this.#take("$(")) {
      const list = this.list([]);
      this.#expect(")");
      return { kind: "output", list, quoted };
    }
    if (this.#take("${")) return this.#braced(quoted);
    this.#at++;
    const name = this.#name() ?? /^[0-9@*#?$!]/.exec(this.#text.slice(this.#at, this.#at + 1))?.[0];
    if (!name) return { kind: "text", text: "$", quoted: true };
    if (!/^[A-Za-z_]/.test(name)) this.#at++;
    return { kind: "variable", name, quoted };
  }

  #braced(quoted: boolean): WordPart {
    const length = this.#text[this.#at] === "#" && this.#text[this.#at + 1] !== "}";
    if (length) this.#at++;
    const name = this.#name() ?? this.#text[this.#at++] ?? "";
    if (length) {
      this.#expect("}");
      return { kind: "variable", name, operator: "#length", quoted };
    }
    const operator = this.#wordOperator();
    if (!operator) {
      this.#expect("}");
      return { kind: "variable", name, quoted };
    }
    const word: WordPart[] = [];
    this.#doubleQuoted(word, () => this.#text[this.#at] === "}");
    this.#at++;
    return { kind: "variable", name, operator, word, quoted };
  }

  #wordOperator(): "-" | "+" | "=" | "?" | Trim | undefined {
    for (const operator of ["-", "+", "=", "?"] as const)
      if (this.#take(`:${operator}`) || this.#take(operator)) return operator;
    return (["##", "#", "%%", "%"] as const).find((operator) => this.#take(operator));
  }

  #name(): string | undefined {
    nameAt.lastIndex = this.#at;
    const found = nameAt.exec(this.#text)?.[0];
    if (found) this.#at += found.length;
    return found;
  }

  /** Skips blanks and comments. Also skips line breaks if `lines` is true. */
  #skip(lines: boolean): void {
    for (;;) {
      const character = this.#text[this.#at] ?? "";
      if (blank.test(character)) this.#at++;
      else if (this.#text.startsWith(joinedLines, this.#at)) this.#at += joinedLines.length;
      else if (character === "#") {
        while (this.#at < this.#text.length && this.#text[this.#at] !== "\n") this.#at++;
      } else if (character === "\n" && lines) {
        this.#at++;
        this.#readDocuments();
      } else return;
    }
  }

  #take(text: string): boolean {
    if (!this.#text.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #peekWord(words: readonly string[]): boolean {
    return words.some((word) => {
      const next = this.#text[this.#at + word.length];
      return this.#text.startsWith(word, this.#at) && (next === undefined || special.test(next));
    });
  }

  #takeWord(word: string): boolean {
    this.#skip(false);
    return this.#peekWord([word]) && this.#take(word);
  }

  #expect(text: string): void {
    this.#skip(true);
    if (!this.#take(text)) this.#fail(`"${text}" is missing`);
  }

  #expectWord(word: string): void {
    this.#skip(true);
    if (!this.#takeWord(word)) this.#fail(`"${word}" is missing`);
  }

  #fail(why: string): never {
    throw new ShellSyntaxError(`syntax error: ${why}`);
  }
}
