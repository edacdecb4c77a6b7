import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

/** Rows from `from` to before `to`, with the pixel heights of the rows before and after them. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
  readonly before: number;
  readonly after: number;
}

export interface Viewport {
  /** Distance in pixels from the top of the list to the top of the window. Negative if the list begins below it. */
  readonly scrolled: number;
  readonly height: number;
}

/** Number of rows rendered above and below the window. */
const overscan = 15;
/** Number of rows before the first measurement. */
const firstRows = 30;
/** Step of the range, so that not every scrolled pixel renders again. */
const step = 5;
/** Assumed height of rows before the first measurement. */
const guessedHeight = 60;
/**
 * Maximum number of renderings for one event. Rows with heights that depend on their neighbours could otherwise
 * render forever.
 */
const maxDraws = 4;

/** Returns the visible rows. `heightOf` returns the height of a row in pixels. */
export function rowRange(
  count: number,
  heightOf: (row: number) => number,
  { scrolled, height }: Viewport,
): RowRange {
  const tops = [0];
  for (let row = 0, top = 0; row < count; row++) {
    top += heightOf(row);
    tops.push(top);
  }
  const total = tops[count] ?? 0;
  const top = Math.min(Math.max(0, scrolled), Math.max(0, total - height));
  let first = 0;
  while (first < count && (tops[first + 1] ?? total) <= top) first++;
  let last = first;
  while (last < count && (tops[last] ?? total) < top + height) last++;
  const from = Math.max(0, Math.floor((first - overscan) / step) * step);
  const to = Math.min(count, Math.ceil((last + overscan) / step) * step);
  return { from, to, before: tops[from] ?? 0, after: total - (tops[to] ?? total) };
}

/**
 * Returns the range of rows to render and a ref for the element that contains them. Rows have the attribute
 * `aria-rowindex`. Measures nothing without `isLong`.
 * @param keys Keys of all rows in their order.
 */
export function useVisibleRows(
  keys: readonly string[],
  isLong: boolean,
): readonly [ref: RefObject<HTMLTableSectionElement | null>, range: RowRange] {
  const count = keys.length;
  const body = useRef<HTMLTableSectionElement>(null);
  const heights = useRef<RowHeights>(new RowHeights());
  const draws = useRef(0);
  const [range, setRange] = useState<RowRange>({ from: 0, to: firstRows, before: 0, after: 0 });
  const update = useCallback(() => {
    const element = body.current;
    if (!element || !isLong) return;
    const viewport = { scrolled: -element.getBoundingClientRect().top, height: innerHeight };
    const next = rowRange(count, (row) => heights.current.of(keys[row] ?? ""), viewport);
    setRange((known) => (isSame(known, next) ? known : next));
  }, [keys, count, isLong]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each drawn range is measured
  useLayoutEffect(() => {
    if (!isLong || !body.current) return;
    if (heights.current.measure(body.current, keys) && draws.current++ < maxDraws) update();
  }, [range, keys, isLong, update]);
  useEffect(() => {
    if (!isLong) return;
    const onEvent = () => {
      draws.current = 0;
      update();
    };
    const onResize = () => {
      heights.current.clear();
      onEvent();
    };
    onEvent();
    addEventListener("scroll", onEvent, { passive: true });
    addEventListener("resize", onResize);
    return () => {
      removeEventListener("scroll", onEvent);
      removeEventListener("resize", onResize);
    };
  }, [isLong, update]);
  // The list may have become shorter since.
  const from = Math.min(range.from, Math.max(0, count - firstRows));
  return [body, { ...range, from, to: Math.min(Math.max(range.to, from), count) }];
}

/** Heights of rendered rows by key. */
class RowHeights {
  readonly #known = new Map<string, number>();
  #usual = guessedHeight;

  of(key: string): number {
    return this.#known.get(key) ?? this.#usual;
  }

  clear(): void {
    this.#known.clear();
  }

  /** Reads the heights of the rendered rows. Returns true if one has changed. */
  measure(body: HTMLElement, keys: readonly string[]): boolean {
    const isFirst = this.#known.size === 0;
    let changed = false;
    for (const row of body.querySelectorAll<HTMLElement>(":scope > [aria-rowindex]")) {
      // The header is row 1.
      const key = keys[Number(row.getAttribute("aria-rowindex")) - 2];
      const below = row.nextElementSibling;
      const more = below instanceof HTMLElement && below.matches(".below-row") ? below.offsetHeight : 0;
      const height = row.offsetHeight + more;
      if (key === undefined || height === 0 || this.#known.get(key) === height) continue;
      this.#known.set(key, height);
      changed = true;
    }
    if (isFirst && changed) {
      const sum = [...this.#known.values()].reduce((total, height) => total + height, 0);
      this.#usual = sum / this.#known.size;
    }
    return changed;
  }
}

function isSame(one: RowRange, other: RowRange): boolean {
  return (
    one.from === other.from && one.to === other.to && one.before === other.before && one.after === other.after
  );
}
