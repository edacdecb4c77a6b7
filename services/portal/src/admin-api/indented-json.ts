import { isPlainObject } from "@keelson/base";

export interface IndentedJson {
  readonly text: string;
  /** True if the text is truncated. */
  readonly isCut: boolean;
}

/**
 * Maximum depth at which values are written on separate lines. The indentation of deeper values would make the text many times
 * longer.
 */
const maxDepth = 40;
const maxDeepLength = 10_000;

/** Formats a JSON value with an indentation of two spaces. Stops at a maximum number of lines and characters. */
export function indentedJson(value: unknown, maxLines: number, maxLength: number): IndentedJson {
  const lines: string[] = [];
  let line = "";
  let length = 0;
  let isCut = false;
  const add = (text: string) => {
    line += text;
    length += text.length;
    if (length > maxLength) isCut = true;
  };
  const breakLine = (depth: number) => {
    lines.push(line);
    line = "";
    if (lines.length >= maxLines) isCut = true;
    else add("  ".repeat(depth));
  };
  const write = (each: unknown, depth: number): void => {
    if (Array.isArray(each)) writeAll("[", "]", each, depth);
    else if (isPlainObject(each)) writeAll("{", "}", Object.entries(each), depth);
    else add(JSON.stringify(each) ?? "null");
  };
  const writeAll = (open: "[" | "{", close: string, entries: readonly unknown[], depth: number): void => {
    add(open);
    for (const [at, entry] of entries.entries()) {
      if (at > 0) add(",");
      breakLine(depth + 1);
      if (isCut) return;
      const [name, each] = open === "{" && Array.isArray(entry) ? entry : [undefined, entry];
      if (name !== undefined) add(`${JSON.stringify(name)}: `);
      if (depth + 1 < maxDepth) write(each, depth + 1);
      else add(deep(each));
    }
    if (isCut) return;
    if (entries.length > 0) breakLine(depth);
    add(close);
  };
  write(value, 0);
  if (line !== "") lines.push(line);
  return { text: lines.join("\n"), isCut };
}

function deep(value: unknown): string {
  try {
    return JSON.stringify(value).slice(0, maxDeepLength);
  } catch {
    // The value is nested so deeply that its serialization exceeds the call stack.
    return "…";
  }
}
