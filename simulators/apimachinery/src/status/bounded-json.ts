import { exactJson, isPlainObject } from "@keelson/base";

/**
 * Returns the JSON of a value. If the JSON is longer than `limit` characters, it is truncated and ends with `...`. Stops at the
 * limit, so large values cost little time.
 */
export function boundedJson(value: unknown, limit: number): string {
  const parts: string[] = [];
  const left = write(value, limit, parts);
  const text = parts.join("");
  return left < 0 ? `${text.slice(0, limit)}...` : text;
}

/** Appends the JSON of a value. Returns the number of remaining characters, or a negative number if the value does not fit. */
function write(value: unknown, left: number, parts: string[]): number {
  const put = (text: string, rest: number): number => {
    parts.push(text);
    return rest - text.length;
  };
  if (typeof value === "string") return put(JSON.stringify(value.slice(0, left + 1)), left);
  if (Array.isArray(value)) {
    let rest = put("[", left);
    for (let at = 0; at < value.length && rest >= 0; at++) {
      if (at > 0) rest = put(",", rest);
      rest = write(value[at] ?? null, rest, parts);
    }
    return put("]", rest);
  }
  if (!isPlainObject(value)) return put(exactJson(value), left);
  let rest = put("{", left);
  let first = true;
  for (const name in value) {
    if (rest < 0) break;
    const member = value[name];
    if (member === undefined) continue;
    rest = put(`${first ? "" : ","}${JSON.stringify(name.slice(0, rest + 1))}:`, rest);
    first = false;
    rest = write(member, rest, parts);
  }
  return put("}", rest);
}
