import { unprintable } from "@keelson/base";

/** Escapes control characters of a line, because a terminal would interpret them. */
export function printable(line: string): string {
  return line.replace(unprintable, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
