export interface IndexRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Parses the index ranges of a Job's status, such as `0,2-4`. Returns Kubernetes' error message if the ranges are invalid.
 * @see kubernetes/kubernetes pkg/apis/batch/validation/validation.go (parseIndexIntervals)
 */
export function parseIndexRanges(text: string, completions: number): readonly IndexRange[] | string {
  const ranges: IndexRange[] = [];
  let last = -1;
  for (const fragment of text === "" ? [] : text.split(",")) {
    const parts = fragment.split("-");
    if (parts.length > 2)
      return `the fragment "${fragment}" violates the requirement that an index interval can have at most two parts separated by '-'`;
    const indexes: number[] = [];
    for (const part of parts) {
      if (!/^\d+$/.test(part)) return `cannot convert string to integer for index: "${part}"`;
      const index = Number(part);
      if (index >= completions) return `too large index: "${part}"`;
      if (index <= last) return `non-increasing order, previous: ${last}, current: ${index}`;
      last = index;
      indexes.push(index);
    }
    ranges.push({ from: indexes[0] ?? 0, to: last });
  }
  return ranges;
}

/** Returns the first index that is in both lists of ranges. The lists are sorted. */
export function firstShared(a: readonly IndexRange[], b: readonly IndexRange[]): number | undefined {
  for (let at = 0, other = 0; at < a.length && other < b.length; ) {
    const [one, two] = [a[at], b[other]];
    if (!one || !two) return undefined;
    if (one.to < two.from) at++;
    else if (two.to < one.from) other++;
    else return Math.max(one.from, two.from);
  }
  return undefined;
}
