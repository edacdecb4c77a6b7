import process from "node:process";
import { parseArgs } from "node:util";

/**
 * Command line option `--name VALUE`. If `least` is set, the value is a number that is not lower than `least`. If `least` is not
 * set, the value is a string.
 */
export interface CommandOption {
  readonly value: string;
  readonly help: string;
  readonly least?: number;
  /** Format of a string value, with an example for the error message. */
  readonly pattern?: { readonly regexp: RegExp; readonly example: string };
  readonly initial: string;
}

export type CommandOptions = Readonly<Record<string, CommandOption>>;

/** Parses options. `problem` is a sentence with the invalid value and the allowed format. */
export function parseCommandOptions(
  options: CommandOptions,
  args: readonly string[],
): { readonly values: Readonly<Record<string, string>> } | { readonly problem: string } {
  const values: Record<string, string> = {};
  for (const [name, { initial }] of Object.entries(options)) values[name] = initial;
  try {
    const parsed = parseArgs({
      args: [...args],
      options: Object.fromEntries(Object.keys(options).map((name) => [name, { type: "string" }])),
    });
    for (const [name, value] of Object.entries(parsed.values))
      if (typeof value === "string") values[name] = value;
  } catch (error) {
    return { problem: error instanceof Error ? `${error.message}.`.replace(/\.\.$/, ".") : String(error) };
  }
  for (const [name, { least, pattern, value }] of Object.entries(options)) {
    const given = values[name] ?? "";
    if (pattern && !pattern.regexp.test(given)) {
      return {
        problem: `--${name} ${value} does not accept ${JSON.stringify(given)}. Example: --${name} ${pattern.example}.`,
      };
    }
    const number = Number(values[name] || Number.NaN);
    if (least === undefined || number >= least) continue;
    return {
      problem: `--${name} ${value} is a number of at least ${least}, not ${JSON.stringify(values[name])}.`,
    };
  }
  return { values };
}

/** Returns one help line per option with its default. */
export function describeOptions(options: CommandOptions): readonly string[] {
  return Object.entries(options).map(([name, { value, help, initial }]) => {
    const usual = initial === "" ? "" : ` (default: ${initial})`;
    return `--${`${name} ${value}`.padEnd(18)} ${help}${usual}`;
  });
}

export interface CommandHelp {
  /** Path of the script from the repository root. */
  readonly script: string;
  readonly description: string;
  readonly options: CommandOptions;
  /** Example options for the help. */
  readonly example: string;
}

/**
 * Parses the options of a script without subcommands. For `--help`, prints the help and exits with code 0. For invalid options,
 * prints the problem and an example and exits with code 2.
 */
export function optionsOrExit(
  { script, description, options, example }: CommandHelp,
  args: readonly string[] = process.argv.slice(2),
): Readonly<Record<string, string>> {
  if (args.includes("--help") || args.includes("-h")) {
    const lines = [...describeOptions(options), "--help"].map((line) => `  ${line}`);
    process.stdout.write(
      [
        description,
        "",
        `usage: node ${script} [OPTION]...`,
        "",
        ...lines,
        "",
        `example: node ${script} ${example}`,
        "",
      ].join("\n"),
    );
    process.exit(0);
  }
  const parsed = parseCommandOptions(options, args);
  if ("values" in parsed) return parsed.values;
  process.stderr.write(`${parsed.problem} Example: node ${script} ${example}\n`);
  process.exit(2);
}
