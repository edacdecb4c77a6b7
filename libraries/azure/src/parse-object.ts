import { objectAt, tryParseJson } from "@keelson/base";

/** Parses a JSON object. Returns an empty object for other input, such as the error page of a proxy. */
export function parseObject(text: string): Record<string, unknown> {
  return objectAt(tryParseJson(text));
}
