import { StringDecoder } from "node:string_decoder";
import type { ShellCommand } from "../containers/command.ts";
import { parseOptions } from "./options.ts";

const classes: Readonly<Record<string, string>> = {
  digit: "0123456789",
  lower: letters("a"),
  upper: letters("A"),
  alpha: letters("A") + letters("a"),
  alnum: `0123456789${letters("A")}${letters("a")}`,
  space: "\t\n\v\f\r ",
  blank: "\t ",
  punct: "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
};

/** POSIX `tr`: replaces, deletes (`-d`) or squeezes (`-s`) characters. It waits while the reader is slow. */
export const tr: ShellCommand = async (io) => {
  const { options, rest } = parseOptions(io.args, "cCds");
  const given = new Set(options.map(([letter]) => letter.toLowerCase()));
  const [first, second] = rest;
  if (first === undefined) throw new Error("tr: missing operand");
  if (second === undefined && !given.has("d") && !given.has("s"))
    throw new Error(`tr: missing operand after '${first}'`);
  const from = setOf(first);
  const to = second === undefined ? undefined : setOf(second);
  const members = new Set(from);
  const isIn = (letter: string) => members.has(letter) !== given.has("c");
  const positions = new Map(from.map((letter, index) => [letter, index] as const).toReversed());
  const replace = (letter: string): string => {
    if (to === undefined || given.has("d") || !isIn(letter)) return letter;
    const index = given.has("c") ? to.length - 1 : (positions.get(letter) ?? 0);
    return to[Math.min(index, to.length - 1)] ?? letter;
  };
  const squeezed = new Set(to ?? []);
  const isSqueezed = (letter: string) =>
    given.has("s") && (to === undefined ? isIn(letter) : squeezed.has(letter));
  const decoder = new StringDecoder("utf8");
  let last = "";
  const translate = (text: string): string => {
    let out = "";
    for (const letter of text) {
      if (given.has("d") && isIn(letter)) continue;
      const put = replace(letter);
      if (put === last && isSqueezed(put)) continue;
      last = put;
      out += put;
    }
    return out;
  };
  for await (const chunk of io.stdin) {
    io.signal.throwIfAborted();
    await io.stdout(translate(decoder.write(Buffer.from(chunk))));
  }
  await io.stdout(translate(decoder.end()));
  return 0;
};

/** Returns the characters that an operand specifies. Expands ranges, classes and escapes. */
function setOf(operand: string): readonly string[] {
  const named: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "0": "\0", "\\": "\\" };
  const found: string[] = [];
  const source = [...operand];
  for (let at = 0; at < source.length; at++) {
    const group = /^\[:([a-z]+):\]/.exec(source.slice(at, at + 12).join(""));
    const members = group && Object.hasOwn(classes, group[1] ?? "") ? classes[group[1] ?? ""] : undefined;
    if (group && members !== undefined) {
      found.push(...members);
      at += group[0].length - 1;
      continue;
    }
    let letter = source[at] ?? "";
    if (letter === "\\" && at + 1 < source.length) {
      at += 1;
      letter = named[source[at] ?? ""] ?? source[at] ?? "";
    }
    const end = source[at + 1] === "-" ? source[at + 2] : undefined;
    if (end === undefined) {
      found.push(letter);
      continue;
    }
    const [low, high] = [letter.codePointAt(0) ?? 0, end.codePointAt(0) ?? 0];
    if (high < low) throw new Error(`tr: range-endpoints of '${letter}-${end}' are in reverse order`);
    if (high - low > 10_000) throw new Error(`tr: the range '${letter}-${end}' is too long`);
    for (let code = low; code <= high; code++) found.push(String.fromCodePoint(code));
    at += 2;
  }
  return found;
}

function letters(first: "a" | "A"): string {
  return Array.from({ length: 26 }, (_, index) => String.fromCharCode(first.charCodeAt(0) + index)).join("");
}
