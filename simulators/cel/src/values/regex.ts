import { RE2JS } from "re2js";

/** Maximum pattern length in characters. */
const maxPattern = 10_000;
/** Maximum number of instructions of a compiled pattern. */
const maxProgramSize = 20_000;
/** Maximum memory of cached patterns in bytes. */
const maxKeptBytes = 64 * 1_024 * 1_024;
/** Estimated memory of a program instruction in bytes. */
const instructionBytes = 100;
/** Estimated memory of an automaton state in bytes. */
const stateBytes = 200;
/** Maximum memory of a pattern's two automata in the RE2 library, in bytes. */
const maxAutomataBytes = 2 * 8_388_608;

const kept = new Map<string, Regex | undefined>();
let keptBytes = 0;

/**
 * Regular expression in Go syntax (RE2). The time of a match is at most proportional to the string length times the program size.
 */
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

  /** Estimated memory size in bytes. */
  get bytes(): number {
    return bytesOfPattern(this.#pattern) + this.programSize * instructionBytes + this.#automataBytes;
  }

  test(text: string): boolean {
    this.#grow(text);
    return this.#compiled.test(text);
  }

  /** Yields the matches from left to right. */
  *find(text: string): Generator<string, void, undefined> {
    this.#grow(text);
    const matcher = this.#compiled.matcher(text);
    while (matcher.find()) yield matcher.group() ?? "";
  }

  /** Adds the estimated memory of the automata. Each character may add a state. */
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

/** Returns the compiled pattern from the cache, or undefined if it is invalid. */
export function findRegex(pattern: string): Regex | undefined {
  const known = kept.get(pattern);
  if (known !== undefined || kept.has(pattern)) {
    // Moves the pattern to the end of the map, so that the least recently used patterns are evicted first.
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

/** Returns the size of the pattern cache, for metrics and tests. */
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
