/** Maximum number of files per process. If the process crashes, all of its files fail. */
const maxFiles = 64;
/**
 * Maximum expected run time, in seconds, of a batch with several files. At the end of a run, a longer batch could keep one lane
 * busy while the other lanes are idle.
 */
const maxSeconds = 80;

export type Batch = readonly string[];

/**
 * Groups files by package into batches, slowest batch first, so that lanes finish at the same time. Files of one package share
 * modules, and the loading of these modules dominates the run time of small files.
 */
export function batchesOf(files: readonly string[], secondsOf: (file: string) => number): readonly Batch[] {
  const total = (batch: Batch) => batch.reduce((sum, file) => sum + secondsOf(file), 0);
  const byPackage = Map.groupBy(files, (file) => file.split("/").slice(0, 2).join("/"));
  return [...byPackage.values()]
    .flatMap((each) => chunks(each, secondsOf))
    .sort((a, b) => total(b) - total(a));
}

/**
 * Distributes files over lanes. The first lane starts with the end-to-end files. Each end-to-end file starts complete services
 * and mostly waits, so only one of these files runs at a time. A lane that finishes early runs batches of other lanes.
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
