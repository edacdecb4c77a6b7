/** Maximum number of files in one process: all of them fail if one crashes the process. */
const maxFiles = 24;
/** Maximum expected duration of a batch with several files: longer ones would keep one lane busy at the end. */
const maxSeconds = 40;

export type Batch = readonly string[];

/**
 * Groups files by package into batches, slowest batch first, so that lanes finish together. Files of one package load
 * the same modules, which is most of the cost of a small file.
 */
export function batchesOf(files: readonly string[], secondsOf: (file: string) => number): readonly Batch[] {
  const total = (batch: Batch) => batch.reduce((sum, file) => sum + secondsOf(file), 0);
  const byPackage = Map.groupBy(files, (file) => file.split("/").slice(0, 2).join("/"));
  return [...byPackage.values()]
    .flatMap((each) => chunks(each, secondsOf))
    .sort((a, b) => total(b) - total(a));
}

/**
 * Distributes files over lanes, which share their batches. The first lane starts with the end-to-end files: each starts
 * complete services and mostly waits, so only one runs at a time. Whichever lane finishes first helps the others.
 */
export function lanesOf(
  files: readonly string[],
  lanes: number,
  secondsOf: (file: string) => number,
): readonly Iterable<Batch>[] {
  const isEndToEnd = (file: string) => file.includes("/e2e/");
  const endToEnd = files
    .filter(isEndToEnd)
    .toSorted((a, b) => secondsOf(b) - secondsOf(a))
    .map((file) => [file])
    .values();
  const others = batchesOf(
    files.filter((file) => !isEndToEnd(file)),
    secondsOf,
  ).values();
  return [
    concatenate(endToEnd, others),
    concatenate(others, endToEnd),
    ...Array.from({ length: lanes - 1 }, () => others),
  ];
}

function chunks(files: readonly string[], secondsOf: (file: string) => number): readonly Batch[] {
  const batches: string[][] = [];
  let seconds = Number.POSITIVE_INFINITY;
  for (const file of files) {
    const batch = batches.at(-1);
    seconds += secondsOf(file);
    if (batch !== undefined && batch.length < maxFiles && seconds <= maxSeconds) batch.push(file);
    else {
      batches.push([file]);
      seconds = secondsOf(file);
    }
  }
  return batches;
}

function* concatenate<T>(...parts: readonly Iterable<T>[]): Generator<T> {
  for (const part of parts) yield* part;
}
