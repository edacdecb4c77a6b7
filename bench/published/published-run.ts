import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TableJson } from "../support/table.ts";

/** Recorded run of one benchmark, as `bench/main.ts --json FILE` writes it. */
export interface PublishedRun {
  /** Name of the benchmark. */
  readonly part: string;
  /** Options of the run, for example `--only GET`. Empty if the run had no options. */
  readonly options: string;
  /** Time at which the results were written, RFC 3339. */
  readonly date: string;
  readonly machine: {
    readonly node: string;
    readonly cores: number;
    readonly cpu: string;
    readonly memoryGiB: number;
  };
  /** Load average of one minute at the start. Undefined if it was not recorded. */
  readonly load?: number;
  readonly note?: string;
  readonly tables: readonly TableJson[];
}

/** Directory of the recorded runs, one file for each run. */
export const runsDirectory = join(import.meta.dirname, "runs");

/** Reads all recorded runs, sorted by file name. */
export function readPublishedRuns(directory: string = runsDirectory): readonly PublishedRun[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith(".json"))
    .toSorted()
    .map((name) => JSON.parse(readFileSync(join(directory, name), "utf8")));
}

/** Returns the file name of a run. A new run with the same options replaces the earlier run. */
export function runFileName({ part, options }: Pick<PublishedRun, "part" | "options">): string {
  const suffix = options.replace(/[^A-Za-z0-9]+/g, "-").replace(/^-+|-+$/g, "");
  return `${suffix === "" ? part : `${part}-${suffix}`}.json`;
}

/** Returns all numbers that the runs of a benchmark printed, including numbers in the names of rows, columns and tables. */
export function printedNumbers(runs: readonly PublishedRun[], part: string): readonly number[] {
  return runs
    .filter((run) => run.part === part)
    .flatMap(({ tables }) => tables)
    .flatMap(({ title, rows }) => [
      ...numbersIn(title),
      ...rows.flatMap(({ name, values }) => [
        ...numbersIn(name),
        ...Object.entries(values).flatMap(([column, value]) => [
          ...numbersIn(column),
          ...numbersIn(`${value}`),
        ]),
      ]),
    ]);
}

/** Returns the numbers in a string. A comma may separate groups of three digits. */
function numbersIn(text: string): readonly number[] {
  return writtenNumbers(text).map(({ value }) => value);
}

export interface WrittenNumber {
  readonly text: string;
  readonly value: number;
  /** Number of digits after the decimal point. */
  readonly decimals: number;
}

/** Returns the numbers in a string with their precision. Ignores digits that are part of a word, for example `p99`. */
export function writtenNumbers(text: string): readonly WrittenNumber[] {
  const pattern = /(?<![\w.])-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\w]|\.\d)/g;
  return [...text.matchAll(pattern)].map(([found]) => ({
    text: found,
    value: Number(found.replaceAll(",", "")),
    decimals: found.split(".")[1]?.length ?? 0,
  }));
}
