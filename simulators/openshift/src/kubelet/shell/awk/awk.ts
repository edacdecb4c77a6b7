import type { CommandIo, ShellCommand } from "../command.ts";
import { contentOf } from "../content.ts";
import { Turn } from "../input-lines.ts";
import { parseOptions } from "../options.ts";
import { assignmentIn } from "./assignment.ts";
import { parseAwk } from "./parse.ts";
import { AwkRun } from "./run.ts";
import { unescaped } from "./tokens.ts";

/** POSIX awk with `-F`, `-v` and `-f`; pipes to commands and `system` are refused. */
export const awk: ShellCommand = async (io) => {
  try {
    return await run(io);
  } catch (error) {
    if (io.signal.aborted) throw error;
    await io.stderr(`awk: ${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  }
};

async function run(io: CommandIo): Promise<number> {
  const { own, rest } = optionsBefore(io.args);
  const { options } = parseOptions(own, "F:v:f:", { "field-separator": "F", assign: "v", file: "f" });
  const parts: string[] = [];
  for (const [letter, value] of options)
    if (letter === "f") parts.push((await contentOf(io, [value])).toString());
  const operands = [...rest];
  if (parts.length === 0) {
    const program = operands.shift();
    if (program === undefined) throw new Error("no program given");
    parts.push(program);
  }
  const awkRun = new AwkRun({ io, turn: new Turn(io.signal), program: parseAwk(parts.join("\n")), operands });
  for (const [letter, value] of options) {
    if (letter === "F") awkRun.assign("FS", value === "t" ? "\t" : unescaped(value));
    if (letter !== "v") continue;
    const assignment = assignmentIn(value);
    if (!assignment) throw new Error(`-v: '${value}' is no assignment`);
    awkRun.assign(assignment.name, assignment.text);
  }
  return awkRun.run();
}

/** Options stand before the program only: what follows it may begin with a dash. */
function optionsBefore(args: readonly string[]): {
  readonly own: readonly string[];
  readonly rest: readonly string[];
} {
  let at = 0;
  while (at < args.length) {
    const arg = args[at] ?? "";
    if (arg === "--") return { own: args.slice(0, at), rest: args.slice(at + 1) };
    if (!arg.startsWith("-") || arg === "-") break;
    at += /^-[Fvf]$|^--[a-z-]+$/.test(arg) ? 2 : 1;
  }
  return { own: args.slice(0, at), rest: args.slice(at) };
}
