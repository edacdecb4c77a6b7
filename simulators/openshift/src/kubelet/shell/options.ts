/** Parsed command arguments: the options in order, and the operands. */
export interface ParsedOptions {
  readonly options: readonly (readonly [letter: string, value: string])[];
  readonly rest: readonly string[];
}

/**
 * Parses options like getopt. Single letters can be combined. A value follows its letter directly or is the next argument.
 * Options and operands can be mixed. `--` ends the options. `spec` lists the letters. A letter that requires a value is followed
 * by `:`. `long` maps long names to letters.
 * @throws Error for an unknown option or a missing value
 */
export function parseOptions(
  args: readonly string[],
  spec: string,
  long: Readonly<Record<string, string>> = {},
): ParsedOptions {
  const options: [string, string][] = [];
  const rest: string[] = [];
  const takesValue = (letter: string) => spec.includes(`${letter}:`);
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (arg === "--") return { options, rest: [...rest, ...args.slice(at + 1)] };
    if (arg.startsWith("--")) {
      const [name = "", value] = splitOnce(arg.slice(2), "=");
      const letter = Object.hasOwn(long, name) ? long[name] : undefined;
      if (letter === undefined) throw new Error(`unrecognized option: ${name}`);
      if (!takesValue(letter)) options.push([letter, ""]);
      else options.push([letter, value ?? valueAt(args, ++at, name)]);
      continue;
    }
    if (!arg.startsWith("-") || arg === "-") {
      rest.push(arg);
      continue;
    }
    for (let index = 1; index < arg.length; index++) {
      const letter = arg[index] ?? "";
      if (letter === ":" || !spec.includes(letter)) throw new Error(`unrecognized option: ${letter}`);
      if (!takesValue(letter)) {
        options.push([letter, ""]);
        continue;
      }
      options.push([letter, arg.slice(index + 1) || valueAt(args, ++at, letter)]);
      break;
    }
  }
  return { options, rest };
}

function valueAt(args: readonly string[], at: number, name: string): string {
  const value = args[at];
  if (value === undefined) throw new Error(`option requires an argument: ${name}`);
  return value;
}

function splitOnce(text: string, separator: string): readonly [string, string?] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
