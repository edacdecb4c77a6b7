export interface PathMatch {
  /** Values of the pattern's names, in their order. */
  readonly names: ReadonlyMap<string, string>;
  /** Segments of `{*}`. */
  readonly rest: readonly string[];
}

/** Pattern of a path. `{name}` is one segment, `{*}` is any number of segments, also none. */
export class PathPattern {
  readonly #head: readonly string[];
  readonly #tail: readonly string[];
  readonly #isOpen: boolean;

  constructor(pattern: string) {
    const segments = pattern.split("/");
    const open = segments.indexOf("{*}");
    this.#isOpen = open >= 0;
    this.#head = this.#isOpen ? segments.slice(0, open) : segments;
    this.#tail = this.#isOpen ? segments.slice(open + 1) : [];
  }

  /** Matches the decoded segments of a path. `isSame` compares a fixed segment of the pattern with one of the path. */
  match(
    path: readonly string[],
    isSame = (fixed: string, actual: string) => fixed === actual,
  ): PathMatch | undefined {
    const end = path.length - this.#tail.length;
    if (this.#isOpen ? end < this.#head.length : end !== this.#head.length) return undefined;
    const actual = [...path.slice(0, this.#head.length), ...path.slice(end)];
    const names = new Map<string, string>();
    for (const [index, fixed] of [...this.#head, ...this.#tail].entries()) {
      const segment = actual[index] ?? "";
      const name = /^\{(\w+)\}$/.exec(fixed)?.[1];
      if (name === undefined ? !isSame(fixed, segment) : segment === "") return undefined;
      if (name !== undefined) names.set(name, segment);
    }
    return { names, rest: path.slice(this.#head.length, end) };
  }
}
