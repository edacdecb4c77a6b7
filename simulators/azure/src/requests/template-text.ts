/**
 * Parses a deployment body of the Azure CLI. Its key `template` is unquoted, and the value is the content of the template file.
 * The file can have comments, multi-line strings and trailing commas.
 * @throws SyntaxError
 */
export function parseTemplateText(text: string): unknown {
  return new Reader(text).document();
}

/** Maximum nesting depth. Real templates are less deep, and this depth does not exhaust the stack. */
const maxDepth = 256;

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): unknown {
    const value = this.#value(0);
    this.#skip();
    if (this.#at < this.#text.length) throw this.#unexpected();
    return value;
  }

  #value(depth: number): unknown {
    if (depth > maxDepth) throw new SyntaxError("nested too deeply");
    this.#skip();
    if (this.#take("{")) return this.#object(depth);
    if (this.#take("[")) return this.#array(depth);
    if (this.#text[this.#at] === '"') return this.#string();
    const word = this.#match(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y);
    if (word === undefined) throw this.#unexpected();
    return JSON.parse(word);
  }

  #object(depth: number): unknown {
    const entries: [string, unknown][] = [];
    for (;;) {
      this.#skip();
      if (this.#take("}")) return Object.fromEntries(entries);
      const key = this.#text[this.#at] === '"' ? this.#string() : this.#match(/template(?=\s*:)/y);
      if (key === undefined) throw this.#unexpected();
      this.#skip();
      if (!this.#take(":")) throw this.#unexpected();
      entries.push([key, this.#value(depth + 1)]);
      this.#separate("}");
    }
  }

  #array(depth: number): unknown {
    const values: unknown[] = [];
    for (;;) {
      this.#skip();
      if (this.#take("]")) return values;
      values.push(this.#value(depth + 1));
      this.#separate("]");
    }
  }

  #separate(end: string): void {
    this.#skip();
    if (!this.#take(",") && this.#text[this.#at] !== end) throw this.#unexpected();
  }

  /** Parses a string. Unlike in JSON, line breaks in strings are allowed. */
  #string(): string {
    const quoted = this.#match(/"(?:[^"\\]|\\.)*"/sy);
    if (quoted === undefined) throw this.#unexpected();
    const escaped = quoted.replaceAll("\n", "\\n").replaceAll("\r", "\\r").replaceAll("\t", "\\t");
    const text: unknown = JSON.parse(escaped);
    return String(text);
  }

  #skip(): void {
    while (this.#match(/\s+|\/\/[^\n]*|\/\*.*?\*\/|\uFEFF/sy) !== undefined);
  }

  #take(symbol: string): boolean {
    if (this.#text[this.#at] !== symbol) return false;
    this.#at += 1;
    return true;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #unexpected(): SyntaxError {
    return new SyntaxError(`unexpected character at position ${this.#at}`);
  }
}
