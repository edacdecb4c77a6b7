import type { CommandIo, ShellCommand } from "../containers/command.ts";
import { inputLines } from "./input-lines.ts";
import { parseOptions } from "./options.ts";
import { PosixPattern } from "./posix-pattern.ts";

const long: Readonly<Record<string, string>> = {
  "extended-regexp": "E",
  "fixed-strings": "F",
  "ignore-case": "i",
  "invert-match": "v",
  count: "c",
  quiet: "q",
  silent: "q",
  "only-matching": "o",
  "line-number": "n",
  "files-with-matches": "l",
  "files-without-match": "L",
  "word-regexp": "w",
  "line-regexp": "x",
  "no-filename": "h",
  "with-filename": "H",
  "no-messages": "s",
  regexp: "e",
  "max-count": "m",
  "after-context": "A",
  "before-context": "B",
  context: "C",
};

/**
 * POSIX `grep` with GNU's context, count and file list options. The exit status is 0 if a line matched, 1 if no line matched, and
 * 2 after an error.
 */
export const grep: ShellCommand = (io) => run(io, "");
export const egrep: ShellCommand = (io) => run(io, "E");
export const fgrep: ShellCommand = (io) => run(io, "F");

async function run(io: CommandIo, preset: string): Promise<number> {
  try {
    return await search(io, preset);
  } catch (error) {
    if (io.signal.aborted) throw error;
    await io.stderr(`grep: ${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  }
}

async function search(io: CommandIo, preset: string): Promise<number> {
  const { options, rest } = parseOptions(io.args, "EFGivcqonlLwxhHse:m:A:B:C:", long);
  const given = new Set([...preset, ...options.map(([letter]) => letter)]);
  const patterns = options.flatMap(([letter, value]) => (letter === "e" ? value.split("\n") : []));
  const names = [...rest];
  if (patterns.length === 0) {
    const pattern = names.shift();
    if (pattern === undefined) throw new Error("no pattern given");
    patterns.push(...pattern.split("\n"));
  }
  const number = (letters: string, otherwise: number): number => {
    const value = options.findLast(([letter]) => letters.includes(letter))?.[1];
    if (value === undefined) return otherwise;
    if (!/^\d{1,9}$/.test(value)) throw new Error(`invalid number '${value}'`);
    return Number(value);
  };
  const most = number("m", Infinity);
  const before = Math.min(number("BC", 0), 1_000);
  const after = number("AC", 0);
  const select = selector(patterns, given);
  const showName = !given.has("h") && (given.has("H") || names.length > 1);
  const prefix = (file: string, line: number, mark: string) =>
    `${showName ? `${file === "-" ? "(standard input)" : file}${mark}` : ""}${given.has("n") ? `${line}${mark}` : ""}`;

  let status = 1;
  let failed = false;
  for (const name of names.length > 0 ? names : ["-"]) {
    let count = 0;
    let at = 0;
    let shown = 0;
    let following = 0;
    const waiting: string[] = [];
    const lines = inputLines(io, [name], async (file, why) => {
      failed = true;
      if (!given.has("s")) await io.stderr(`grep: ${file}: ${why}\n`);
    });
    const quiet = given.has("q") || given.has("l") || given.has("L");
    for await (const { text } of lines) {
      at += 1;
      const spans = count < most ? select(text) : undefined;
      if (spans === undefined) {
        if (following > 0) {
          following -= 1;
          shown = at;
          await io.stdout(`${prefix(name, at, "-")}${text}\n`);
        } else if (count >= most) break;
        else if (before > 0) {
          waiting.push(`${prefix(name, at, "-")}${text}\n`);
          if (waiting.length > before) waiting.shift();
        }
        continue;
      }
      count += 1;
      status = 0;
      if (given.has("q")) return 0;
      if (quiet) break;
      if (given.has("c")) continue;
      if (given.has("o")) {
        for (const [start, end] of spans)
          if (end > start) await io.stdout(`${prefix(name, at, ":")}${text.slice(start, end)}\n`);
        continue;
      }
      if (before + after > 0 && shown > 0 && at - waiting.length > shown + 1) await io.stdout("--\n");
      await io.stdout(`${waiting.splice(0).join("")}${prefix(name, at, ":")}${text}\n`);
      shown = at;
      following = after;
    }
    if (given.has("c")) await io.stdout(`${showName ? `${name}:` : ""}${count}\n`);
    if (given.has("L") ? count === 0 : given.has("l") && count > 0) await io.stdout(`${name}\n`);
  }
  return failed ? 2 : status;
}

/** Returns a function that finds the matches in a line. The function returns `undefined` if the line is not selected. */
function selector(
  patterns: readonly string[],
  given: ReadonlySet<string>,
): (line: string) => readonly (readonly [number, number])[] | undefined {
  const ignoreCase = given.has("i");
  const compiled = patterns.map((pattern) => {
    const source = given.has("F") ? pattern.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&") : pattern;
    return new PosixPattern(source, { extended: given.has("E") || given.has("F"), ignoreCase });
  });
  const isWord = (letter: string | undefined) => letter !== undefined && /\w/.test(letter);
  const fits = (line: string, [start, end]: readonly [number, number]): boolean => {
    if (given.has("x")) return start === 0 && end === line.length;
    return !given.has("w") || !(isWord(line[start - 1]) || isWord(line[end]));
  };
  return (line) => {
    const spans = compiled.flatMap((pattern) =>
      [...pattern.matches(line)].filter((span) => fits(line, span)),
    );
    if (given.has("v")) return spans.length === 0 ? [] : undefined;
    return spans.length === 0 ? undefined : spans.toSorted((a, b) => a[0] - b[0]);
  };
}
