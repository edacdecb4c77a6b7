import { PosixPattern } from "../posix-pattern.ts";

const maxKept = 200;

/** The expressions of a program, which are made when they are first used: many are texts that it puts together. */
export class Patterns {
  readonly #kept = new Map<string, PosixPattern>();

  of(source: string): PosixPattern {
    const known = this.#kept.get(source);
    if (known) return known;
    if (this.#kept.size >= maxKept) this.#kept.clear();
    const pattern = new PosixPattern(source, { extended: true });
    this.#kept.set(source, pattern);
    return pattern;
  }

  /** Splits as FS does: ` ` at blanks, one letter at that letter, nothing between letters, others at an expression. */
  split(text: string, separator: string): string[] {
    if (separator === " ") return text.split(/[ \t\n]+/).filter((part) => part !== "");
    if (text === "") return [];
    if (separator === "") return [...text];
    if (separator.length === 1 && separator !== "\\") return text.split(separator);
    const parts: string[] = [];
    let end = 0;
    for (const [[start, stop]] of this.of(separator).matches(text)) {
      if (start === stop) continue;
      parts.push(text.slice(end, start));
      end = stop;
    }
    return [...parts, text.slice(end)];
  }
}
