export interface PathMatch {
  /** Values of the pattern's placeholders, in pattern order. */
  readonly names: ReadonlyMap<string, string>;
  /** Path segments that `{*}` matched. */
  readonly rest: readonly string[];
}

interface Segment {
  readonly text: string;
  readonly name: string | undefined;
}

/** Path pattern. `{name}` matches one segment. `{*}` matches any number of segments. */
export class PathPattern {
  /** Segments of the pattern without `{*}`. */
  readonly #segments: readonly Segment[];
  /** Index of `{*}`. Undefined if the pattern has none. */
  readonly #open: number | undefined;

  constructor(pattern: string) {
    const texts = pattern.split("/");
    const open = texts.indexOf("{*}");
    this.#open = open < 0 ? undefined : open;
    this.#segments = texts
      .filter((text) => text !== "{*}")
      .map((text) => ({ text, name: /^\{(\w+)\}$/.exec(text)?.[1] }));
  }

  /**
   * Matches decoded path segments. `isSame` compares a fixed segment of the pattern, without a placeholder, with the actual
   * segment of the path.
   */
  match(
    path: readonly string[],
    isSame = (fixed: string, actual: string): boolean => fixed === actual,
  ): PathMatch | undefined {
    const restLength = path.length - this.#segments.length;
    if (this.#open === undefined ? restLength !== 0 : restLength < 0) return undefined;
    const open = this.#open ?? path.length;
    const names = new Map<string, string>();
    for (const [index, { text, name }] of this.#segments.entries()) {
      const actual = path[index < open ? index : index + restLength] ?? "";
      if (name === undefined ? !isSame(text, actual) : actual === "") return undefined;
      if (name !== undefined) names.set(name, actual);
    }
    return { names, rest: path.slice(open, open + restLength) };
  }
}
