import type { ShellCommand } from "../containers/command.ts";
import { inputLines } from "./input-lines.ts";
import { parseOptions } from "./options.ts";

type Range = readonly [from: number, to: number];

/** POSIX `cut`: prints characters (`-c`, `-b`) or fields (`-f`) of each line. */
export const cut: ShellCommand = async (io) => {
  const { options, rest } = parseOptions(io.args, "b:c:f:d:s");
  const find = (letter: string) => options.findLast(([each]) => each === letter)?.[1];
  const fields = find("f");
  const list = fields ?? find("c") ?? find("b");
  if (list === undefined) throw new Error("cut: expected a list of bytes, characters, or fields");
  const ranges = rangesOf(list);
  const delimiter = find("d") ?? "\t";
  if ([...delimiter].length !== 1) throw new Error("cut: the delimiter must be a single character");
  const chosen = (index: number) => ranges.some(([from, to]) => index >= from && index <= to);
  let status = 0;
  const lines = inputLines(io, rest, async (file, why) => {
    status = 1;
    await io.stderr(`cut: ${file}: ${why}\n`);
  });
  for await (const { text } of lines) {
    if (fields === undefined) {
      await io.stdout(`${[...text].filter((_, index) => chosen(index + 1)).join("")}\n`);
    } else if (!text.includes(delimiter)) {
      if (find("s") === undefined) await io.stdout(`${text}\n`);
    } else {
      const kept = text.split(delimiter).filter((_, index) => chosen(index + 1));
      await io.stdout(`${kept.join(delimiter)}\n`);
    }
  }
  return status;
};

function rangesOf(list: string): readonly Range[] {
  return list.split(/[, ]/).map((part) => {
    const [, from = "", dash, to = ""] = /^(\d{0,9})(-)?(\d{0,9})$/.exec(part) ?? [];
    if (from === "" && to === "") throw new Error(`cut: invalid byte, character or field list: ${list}`);
    return [from === "" ? 1 : Number(from), dash ? (to === "" ? Infinity : Number(to)) : Number(from)];
  });
}
