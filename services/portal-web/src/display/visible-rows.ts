import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

/**
 * Range of rendered rows: from row `from` to the row before `to`. Also contains the heights in pixels of all rows before and
 * after the range.
 */
export interface RowRange {
  readonly from: number;
  readonly to: number;
  readonly before: number;
  readonly after: number;
}

export interface Viewport {
  /**
   * Distance in pixels from the top of the list to the top of the window. Negative if the list begins below the top of the
   * window.
   */
  readonly scrolled: number;
  readonly height: number;
}

/** Number of additional rows rendered above and below the window. */
const overscan = 15;
/** Number of rendered rows before the first measurement. */
const firstRows = 30;
/** Number of rows by which the range changes. Because of these steps, scrolling by a few pixels causes no rendering. */
const step = 5;
/** Assumed row height in pixels before the first measurement. */
const guessedHeight = 60;
/**
 * Maximum number of renderings after one event. If the height of a row depended on neighbouring rows, the rendering might
 * otherwise never end.
 */
const maxDraws = 4;

/** Returns the range of visible rows. `heightOf` returns the height of a row in pixels. */
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
 * Returns the range of rows to render, and a ref for the parent element of the rows. Rows must have the attribute
 * `aria-rowindex`. If `isLong` is false, nothing is measured.
 * @param keys Keys of all rows in order.
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
  // The list may now be shorter than at the last measurement.
  const from = Math.min(range.from, Math.max(0, count - firstRows));
  return [body, { ...range, from, to: Math.min(Math.max(range.to, from), count) }];
}

/** Heights of rendered rows in pixels, by key. */
class RowHeights {
  readonly #known = new Map<string, number>();
  #usual = guessedHeight;

  of(key: string): number {
    return this.#known.get(key) ?? this.#usual;
  }

  clear(): void {
    this.#known.clear();
  }

  /** Measures the rendered rows. Returns true if the height of a row has changed. */
  measure(body: HTMLElement, keys: readonly string[]): boolean {
    const isFirst = this.#known.size === 0;
    let changed = false;
    for (const row of body.querySelectorAll<HTMLElement>(":scope > [aria-rowindex]")) {
      // The header is row 1, so the first data row has index 2.
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
