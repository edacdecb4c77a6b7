import { objectAt, tryParseJson } from "@keelson/base";

/** Parses a JSON object. Returns an empty object for anything else, such as responses of a failing proxy. */
export function parseObject(text: string): Record<string, unknown> {
  return objectAt(tryParseJson(text));
}
