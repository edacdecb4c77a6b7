import { type CommandOption, describeOptions, parseCommandOptions } from "../../scripts/command-options.ts";

/** Command line option of one benchmark. */
export type BenchOption = CommandOption;

export interface BenchPart {
  readonly help: string;
  readonly options?: Readonly<Record<string, BenchOption>>;
  /** True for long benchmarks. They run only if the command line names them. */
  readonly onlyWhenNamed?: boolean;
}

/** Returns a function that returns the given value of an option, or its initial value. */
export function optionReader<Name extends string>(
  options: Readonly<Record<Name, BenchOption>>,
  given: Readonly<Record<string, string>>,
): (name: Name) => string {
  return (name) => given[name] ?? options[name].initial;
}

/** Options of every benchmark. */
const commonOptions = {
  json: { value: "FILE", help: "also write all tables to this file, as JSON", initial: "" },
} satisfies Record<string, BenchOption>;

/** Parsed command line. */
export type BenchCommand =
  | { readonly kind: "help"; readonly text: string }
  | { readonly kind: "wrong"; readonly text: string }
  | {
      readonly kind: "run";
      readonly parts: readonly string[];
      readonly values: Readonly<Record<string, string>>;
    };

/** Parses `[PART]... [OPTION]...`. */
export function parseBenchCommand(
  parts: Readonly<Record<string, BenchPart>>,
  args: readonly string[],
): BenchCommand {
  const see = "`node bench/main.ts --help` lists parts and options.";
  const wrong = (text: string): BenchCommand => ({ kind: "wrong", text: `${text} ${see}\n` });
  const firstOption = args.findIndex((each) => each.startsWith("-"));
  const named = args.slice(0, firstOption < 0 ? args.length : firstOption);
  const given = args.slice(named.length);
  if (given.includes("--help") || given.includes("-h")) return { kind: "help", text: helpOf(parts, named) };
  const unknown = named.find((each) => !Object.hasOwn(parts, each));
  if (unknown !== undefined) return wrong(`There is no part ${JSON.stringify(unknown)}.`);
  const chosen = named.length > 0 ? named : Object.keys(parts).filter((each) => !parts[each]?.onlyWhenNamed);
  const options: Record<string, BenchOption> = Object.assign(
    { ...commonOptions },
    ...named.map((each) => parts[each]?.options ?? {}),
  );
  const parsed = parseCommandOptions(options, given);
  if ("problem" in parsed) return wrong(parsed.problem);
  return { kind: "run", parts: chosen, values: parsed.values };
}

function helpOf(parts: Readonly<Record<string, BenchPart>>, named: readonly string[]): string {
  const shown = Object.entries(parts).filter(([name]) => named.length === 0 || named.includes(name));
  const lines = shown.flatMap(([name, { help, options = {}, onlyWhenNamed }]) => [
    `  ${name.padEnd(14)} ${help}${onlyWhenNamed ? " (runs only if named)" : ""}`,
    ...describeOptions(options).map((line) => `      ${line}`),
  ]);
  return [
    "usage: node bench/main.ts [PART]... [OPTION]...",
    "",
    ...lines,
    ...describeOptions(commonOptions).map((line) => `  ${line}`),
    "  --help         print this help",
    "",
  ].join("\n");
}
