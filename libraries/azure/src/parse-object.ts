import { isPlainObject } from "@keelson/base";

/** The object that a text is in JSON; an empty one for all else, as servers answer when something is wrong before them. */
export function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isPlainObject(value) ? value : {};
  } catch {
    return {};
  }
}
