import { copyFile, writeFile } from "node:fs/promises";
import type { CommandIo, Output, ShellCommand } from "../command.ts";
import { contentOf } from "../content.ts";
import { inputLines, Turn } from "../input-lines.ts";
import { parseOptions } from "../options.ts";
import { SedRun } from "./run.ts";
import { parseSedScript } from "./script.ts";

const long: Readonly<Record<string, string>> = {
  quiet: "n",
  silent: "n",
  expression: "e",
  file: "f",
  "regexp-extended": "E",
  "in-place": "i",
  separate: "s",
};
/** What editing a file in place may make of it. */
const maxFileLength = 16 * 1_024 * 1_024;

/** POSIX sed with GNU's `-i`, `-E`, `-s`, ranges and flags. Files other than its operands are neither read nor written. */
export const sed: ShellCommand = async (io) => {
  try {
    return await run(io);
  } catch (error) {
    if (io.signal.aborted) throw error;
    await io.stderr(`sed: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
};

async function run(io: CommandIo): Promise<number> {
  // A suffix for the copy of the old file stands right behind -i, and nothing else does.
  const suffix = io.args.find((arg) => /^-[nEr]*i./.test(arg))?.replace(/^-[nEr]*i/, "");
  const args = io.args.map((arg) => arg.replace(/^(-[nEr]*i).+$/, "$1"));
  const { options, rest } = parseOptions(args, "nEre:f:is", long);
  const given = new Set(options.map(([letter]) => letter));
  const parts: string[] = [];
  for (const [letter, value] of options) {
    if (letter === "e") parts.push(value);
    if (letter === "f") parts.push((await contentOf(io, [value])).toString().replace(/\n$/, ""));
  }
  const names = [...rest];
  if (parts.length === 0) {
    const script = names.shift();
    if (script === undefined) throw new Error("no script given");
    parts.push(script);
  }
  const source = parts.join("\n");
  const commands = parseSedScript(source, given.has("E") || given.has("r"));
  const quiet = given.has("n") || source.startsWith("#n\n");
  let status = 0;
  const missing = async (file: string, why: string) => {
    status = 2;
    await io.stderr(`sed: can't read ${file}: ${why}\n`);
  };
  const settings = { commands, quiet, turn: new Turn(io.signal) };
  if (!given.has("i")) {
    const groups = given.has("s") ? names.map((name) => [name]) : [names];
    const sedRun = new SedRun({ ...settings, write: io.stdout });
    for (const group of groups) {
      const exit = await sedRun.process(inputLines(io, group, missing));
      if (exit !== undefined) return exit;
    }
    return status;
  }
  for (const name of names) {
    let text = "";
    const write: Output = (piece) => {
      text += piece.toString();
      if (text.length > maxFileLength) throw new Error(`${name}: the result is too long`);
    };
    const place = await io.files.resolveForWriting(io.files.absolute(name, io.folder));
    let found = true;
    const lines = inputLines(io, [name], async (file, why) => {
      found = false;
      await missing(file, why);
    });
    const exit = await new SedRun({ ...settings, write }).process(lines);
    if (!found) continue;
    if (suffix) {
      const copy = io.files.absolute(`${name}${suffix}`, io.folder);
      await copyFile(place, await io.files.resolveForWriting(copy));
    }
    await writeFile(place, text);
    if (exit !== undefined) return exit;
  }
  return status;
}
