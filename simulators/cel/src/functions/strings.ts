import type { Meter } from "../values/meter.ts";
import { dyn, int, listType, string } from "../values/type.ts";
import { elementsOf, errorValue, type ListValue, listOf, type Result } from "../values/value.ts";
import { findLastText, findText } from "./find-text.ts";
import { formatText } from "./format-text.ts";
import { func, type Library, method } from "./overload.ts";

const tenth = (first = 1) => Math.ceil(first * 0.1);
const textList = listType(string);

/** Returns the characters of a string, so that indexes count characters. Strings without surrogates are returned unchanged. */
function charactersOf(text: string): readonly string[] | string {
  return /[\ud800-\udfff]/.test(text) ? [...text] : text;
}

function joinedText(characters: readonly string[] | string): string {
  return typeof characters === "string" ? characters : characters.join("");
}

function charAt(text: string, at: bigint): Result {
  const characters = charactersOf(text);
  if (at < 0n || at > BigInt(characters.length)) return errorValue(`index out of range: ${at}`);
  return characters[Number(at)] ?? "";
}

function substring(text: string, from: bigint, to?: bigint): Result {
  const characters = charactersOf(text);
  const end = to ?? BigInt(characters.length);
  if (from < 0n || from > BigInt(characters.length)) return errorValue(`index out of range: ${from}`);
  if (end < 0n || end > BigInt(characters.length)) return errorValue(`index out of range: ${end}`);
  if (from > end) return errorValue(`invalid substring range. start: ${from}, end: ${end}`);
  return joinedText(characters.slice(Number(from), Number(end)));
}

function indexOf(text: string, part: string, from: bigint): Result {
  const characters = charactersOf(text);
  if (from < 0n || from > BigInt(characters.length)) {
    return from < 0n ? errorValue(`index out of range: ${from}`) : -1n;
  }
  if (typeof characters === "string") return BigInt(findText(characters, part, Number(from)));
  const prefix = joinedText(characters.slice(0, Number(from)));
  const found = findText(text, part, prefix.length);
  return found < 0 ? -1n : BigInt([...text.slice(0, found)].length);
}

function lastIndexOf(text: string, part: string, from?: bigint): Result {
  const characters = charactersOf(text);
  if (from !== undefined && (from < 0n || from >= BigInt(characters.length))) {
    return from < 0n || part !== "" || from > BigInt(characters.length)
      ? errorValue(`index out of range: ${from}`)
      : from;
  }
  const limit = from === undefined ? text.length : joinedText(characters.slice(0, Number(from))).length;
  const found = findLastText(text, part, limit);
  return found < 0 ? -1n : BigInt([...text.slice(0, found)].length);
}

function replaced(text: string, part: string, by: string, count: bigint, meter: Meter): Result {
  const limit = count < 0n ? Number.POSITIVE_INFINITY : Number(count);
  if (part === "") {
    const characters = [...text];
    const times = Math.min(limit, characters.length + 1);
    meter.spend(times * by.length * 0.1);
    const pieces = characters.map((each, at) => (at < times ? by + each : each));
    return pieces.join("") + (characters.length < times ? by : "");
  }
  let result = "";
  let from = 0;
  for (let times = 0; times < limit; times++) {
    const found = findText(text, part, from);
    if (found < 0) break;
    meter.spend((found - from + by.length) * 0.1);
    result += text.slice(from, found) + by;
    from = found + part.length;
  }
  return result + text.slice(from);
}

function split(text: string, by: string, limit: bigint, meter: Meter): Result {
  if (limit === 0n) return listOf([]);
  if (limit === 1n) return listOf([text]);
  const most = limit < 0n ? Number.POSITIVE_INFINITY : Number(limit);
  const parts: string[] = [];
  let from = 0;
  while (parts.length < most - 1) {
    meter.spend(1);
    const found = by === "" ? afterCharacter(text, from) : findText(text, by, from);
    if (found < 0) break;
    parts.push(text.slice(from, found));
    from = found + by.length;
  }
  if (by !== "" || from < text.length) parts.push(text.slice(from));
  return listOf(parts);
}

/** Returns the index after the character at a position, or -1 for the last character. */
function afterCharacter(text: string, at: number): number {
  const end = at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
  return end < text.length ? end : -1;
}

function join(list: ListValue, by: string, meter: Meter): Result {
  meter.work(list.size);
  const elements = elementsOf(list);
  if ("kind" in elements) return elements;
  const texts = elements.filter((each) => typeof each === "string");
  if (texts.length < elements.length) return errorValue("no such overload");
  meter.spend(texts.reduce((sum, each) => sum + each.length + by.length, 0) * 0.1);
  return texts.join(by);
}

const asciiOnly = (text: string, range: RegExp, change: (found: string) => string) =>
  text.replace(range, change);
/** Unicode white space, as in Go. */
const spaces = /^\p{White_Space}+|(?<!\p{White_Space})\p{White_Space}+$/gu;

export const strings: Library = {
  overloads: [
    method("charAt", [string, int], string, ([text, at]) => charAt(text, at)),
    method("indexOf", [string, string], int, ([text, part]) => indexOf(text, part, 0n), tenth),
    method("indexOf", [string, string, int], int, ([text, part, from]) => indexOf(text, part, from), tenth),
    method("lastIndexOf", [string, string], int, ([text, part]) => lastIndexOf(text, part), tenth),
    method(
      "lastIndexOf",
      [string, string, int],
      int,
      ([text, part, from]) => lastIndexOf(text, part, from),
      tenth,
    ),
    method(
      "lowerAscii",
      [string],
      string,
      ([text]) => asciiOnly(text, /[A-Z]+/g, (a) => a.toLowerCase()),
      tenth,
    ),
    method(
      "upperAscii",
      [string],
      string,
      ([text]) => asciiOnly(text, /[a-z]+/g, (a) => a.toUpperCase()),
      tenth,
    ),
    method(
      "replace",
      [string, string, string],
      string,
      ([a, b, c], meter) => replaced(a, b, c, -1n, meter),
      tenth,
    ),
    method(
      "replace",
      [string, string, string, int],
      string,
      ([a, b, c, count], meter) => replaced(a, b, c, count, meter),
      tenth,
    ),
    method("split", [string, string], textList, ([a, by], meter) => split(a, by, -1n, meter), tenth),
    method("split", [string, string, int], textList, ([a, by, n], meter) => split(a, by, n, meter), tenth),
    method("substring", [string, int], string, ([text, from]) => substring(text, from), tenth),
    method("substring", [string, int, int], string, ([text, from, to]) => substring(text, from, to), tenth),
    method("trim", [string], string, ([text]) => text.replace(spaces, ""), tenth),
    method("reverse", [string], string, ([text]) => [...text].reverse().join(""), tenth),
    method("join", [textList], string, ([list], meter) => join(list, "", meter)),
    method("join", [textList, string], string, ([list, by], meter) => join(list, by, meter)),
    method(
      "format",
      [string, listType(dyn)],
      string,
      ([text, args], meter) => formatText(text, args, meter),
      tenth,
    ),
    func("strings.quote", [string], string, ([text]) => quoted(text), tenth),
  ],
};

const escapes: Readonly<Record<string, string>> = {
  "\x07": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  "\\": "\\\\",
  '"': '\\"',
};

function quoted(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is escaped.
  return `"${text.replace(/[\x07\b\f\n\r\t\v\\"]/g, (each) => escapes[each] ?? each)}"`;
}
