/** Result of a comparison of two documents. */
export interface Comparison {
  /** API version that both documents describe. */
  readonly version: string;
  /** Number of compared items in the published document. */
  readonly counts: Readonly<Record<Counted, number>>;
  /** Items of the published document that our document lacks. */
  readonly missing: readonly Finding[];
  /** Items with different types, values or operation IDs. */
  readonly different: readonly Finding[];
  /** All other differences, which are in neither `missing` nor `different`. */
  readonly notes: readonly Finding[];
}

export interface Finding {
  /** Location of the difference: `OpenShiftClusters_Get 200.properties.consoleProfile.url`, a path, or a method and a path. */
  readonly where: string;
  readonly what: string;
}

export type Counted = "paths" | "operations" | "parameters" | "properties";

/** Collects the findings of a comparison. */
export class Findings {
  readonly #version: string;
  readonly #counts: Record<Counted, number> = { paths: 0, operations: 0, parameters: 0, properties: 0 };
  readonly #missing: Finding[] = [];
  readonly #different: Finding[] = [];
  readonly #notes: Finding[] = [];
  readonly #seen = new Set<string>();

  constructor(version: string) {
    this.#version = version;
  }

  result(): Comparison {
    return {
      version: this.#version,
      counts: { ...this.#counts },
      missing: [...this.#missing],
      different: [...this.#different],
      notes: [...this.#notes],
    };
  }

  count(counted: Counted): void {
    this.#counts[counted]++;
  }

  /** True if the comparison of these two definitions has already started. Always false for unnamed schemas. */
  seen(ours: string | undefined, theirs: string | undefined): boolean {
    if (ours === undefined || theirs === undefined) return false;
    const pair = `${ours} ${theirs}`;
    if (this.#seen.has(pair)) return true;
    this.#seen.add(pair);
    return false;
  }

  missing(kind: string, where: string): void {
    this.#missing.push({ where, what: `ours lacks this ${kind}` });
  }

  different(where: string, what: string, ours: string, theirs: string): void {
    this.#different.push({ where, what: `${what}: ours is ${ours}, theirs is ${theirs}` });
  }

  note(where: string, what: string): void {
    this.#notes.push({ where, what });
  }

  noteUnlessEqual<T extends string | number | boolean>(
    where: string,
    what: string,
    ours?: T,
    theirs?: T,
  ): void {
    const text = (value?: T) => (value === undefined ? "not said" : String(value));
    if (ours !== theirs) this.note(where, `${what}: ours is ${text(ours)}, theirs is ${text(theirs)}`);
  }
}
