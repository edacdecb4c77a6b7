import { RE2JS } from "re2js";

/** Longer patterns, and those with larger programs, are refused. */
const maxPattern = 10_000;
const maxProgramSize = 20_000;
/** What the patterns that are kept may hold together. */
const maxKeptBytes = 64 * 1_024 * 1_024;
/** An instruction of a program; a state of the automaton that matching builds holds some bytes for each. */
const instructionBytes = 100;
const stateBytes = 200;
/** The library builds two automata for a pattern, and lets each grow to this. */
const maxAutomataBytes = 2 * 8_388_608;

const kept = new Map<string, Regex | undefined>();
let keptBytes = 0;

/** A regular expression in Go's syntax (RE2): matching takes at most the text's length times the program's size. */
export class Regex {
  readonly programSize: number;
  readonly #pattern: string;
  readonly #compiled: RE2JS;
  #automataBytes = 0;

  constructor(pattern: string, compiled: RE2JS) {
    this.#pattern = pattern;
    this.#compiled = compiled;
    this.programSize = compiled.programSize();
  }

  /** About what it holds. */
  get bytes(): number {
    return bytesOfPattern(this.#pattern) + this.programSize * instructionBytes + this.#automataBytes;
  }

  test(text: string): boolean {
    this.#grow(text);
    return this.#compiled.test(text);
  }

  /** The matches from left to right. */
  *find(text: string): Generator<string, void, undefined> {
    this.#grow(text);
    const matcher = this.#compiled.matcher(text);
    while (matcher.find()) yield matcher.group() ?? "";
  }

  /** Each character may add a state. */
  #grow(text: string): void {
    const before = this.#automataBytes;
    const most = Math.min(text.length * (stateBytes + this.programSize * 8), maxAutomataBytes);
    if (most <= before) return;
    this.#automataBytes = most;
    if (kept.get(this.#pattern) !== this) return;
    keptBytes += most - before;
    dropOldest();
  }
}

/** `undefined` for a pattern that is none. */
export function findRegex(pattern: string): Regex | undefined {
  const known = kept.get(pattern);
  if (known !== undefined || kept.has(pattern)) {
    // The map keeps the order of use: what was not used for longest goes first.
    kept.delete(pattern);
    kept.set(pattern, known);
    return known;
  }
  if (pattern.length > maxPattern) return undefined;
  const compiled = compile(pattern);
  kept.set(pattern, compiled);
  keptBytes += bytesOf(pattern, compiled);
  dropOldest();
  return compiled;
}

/** What is kept of patterns, for metrics and tests. */
export function keptRegexes(): { readonly count: number; readonly bytes: number } {
  return { count: kept.size, bytes: keptBytes };
}

function bytesOfPattern(pattern: string): number {
  return 500 + 2 * pattern.length;
}

function bytesOf(pattern: string, regex: Regex | undefined): number {
  return regex?.bytes ?? bytesOfPattern(pattern);
}

function dropOldest(): void {
  for (const [pattern, regex] of kept) {
    if (keptBytes <= maxKeptBytes) return;
    kept.delete(pattern);
    keptBytes -= bytesOf(pattern, regex);
  }
}

function compile(pattern: string): Regex | undefined {
  try {
    const compiled = RE2JS.compile(pattern);
    return compiled.programSize() > maxProgramSize ? undefined : new Regex(pattern, compiled);
  } catch {
    return undefined;
  }
}
