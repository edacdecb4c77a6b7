import { objectAt, tryParseJson } from "@keelson/base";

/** The object that a text is in JSON; an empty one for all else, as servers answer when something is wrong before them. */
export function parseObject(text: string): Record<string, unknown> {
  return objectAt(tryParseJson(text));
}
