import { isCoded } from "@keelson/base";

/** Returns a metric label for an error. The number of different labels is limited. */
export function failureCode(error: unknown): string {
  return isCoded(error) ? error.name : "Unexpected";
}
