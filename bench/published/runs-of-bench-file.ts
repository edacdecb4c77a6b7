import type { TableJson } from "../support/table.ts";
import type { PublishedRun } from "./published-run.ts";

/** JSON file that `bench/main.ts --json FILE` writes. */
export interface BenchFile {
  readonly date: string;
  readonly node: string;
  readonly cores: number;
  readonly cpu: string;
  readonly memoryGiB: number;
  /** Options on the command line, without `--json`. */
  readonly options: string;
  /** Load average of one minute at the start of each benchmark. */
  readonly loads: Readonly<Record<string, number>>;
  /** Tables of each benchmark. */
  readonly results: Readonly<Record<string, readonly TableJson[]>>;
}

/** Returns the runs in a JSON file. */
export function runsOfBenchFile({
  date,
  options,
  loads,
  results,
  ...machine
}: BenchFile): readonly PublishedRun[] {
  const { node, cores, cpu, memoryGiB } = machine;
  return Object.entries(results).map(([part, tables]) => {
    const load = loads[part];
    return {
      part,
      options,
      date,
      machine: { node, cores, cpu, memoryGiB },
      ...(load === undefined ? {} : { load }),
      tables,
    };
  });
}

/** Returns the options of a command line `[PART]... [OPTION]...` that affect the results, so without `--json FILE`. */
export function recordedOptions(args: readonly string[]): string {
  const first = args.findIndex((each) => each.startsWith("-"));
  const options = first < 0 ? [] : args.slice(first);
  const isJson = (each: string | undefined) => each === "--json";
  return options
    .filter((each, at) => !isJson(each) && !isJson(options[at - 1]) && !each.startsWith("--json="))
    .join(" ");
}
