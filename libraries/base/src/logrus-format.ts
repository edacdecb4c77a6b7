import { isPlainObject, tryParseJson } from "./json.ts";

/** Field names that logrus itself uses. Fields with these names get the prefix `fields.`. */
const own = new Set(["time", "level", "msg", "func", "file", "logrus_error"]);
const levels: Readonly<Record<string, string>> = { warn: "warning" };

/**
 * Formats a JSON log line like the TextFormatter of logrus: `time="..." level=info msg=running controller=Banner`. Sorts fields
 * by name. Formats objects and lists as JSON. Returns other lines unchanged.
 */
export function logrusLine(line: string): string {
  const entry = tryParseJson(line);
  if (!isPlainObject(entry)) return line;
  const { time, level, msg, ...fields } = entry;
  const name = String(level ?? "info");
  const pairs: (readonly [string, unknown])[] = [
    ["time", String(time ?? "").replace(/\.\d+Z$/, "Z")],
    ["level", levels[name] ?? name],
    ...(msg === undefined || msg === "" ? [] : [["msg", msg] as const]),
    ...Object.entries(fields)
      .map(([key, value]) => [own.has(key) ? `fields.${key}` : key, value] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  ];
  return `${pairs.map(([key, value]) => `${key}=${quoted(value)}`).join(" ")}\n`;
}

function quoted(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return /^[\w.\-/@^+]*$/.test(text) ? text : JSON.stringify(text);
}
