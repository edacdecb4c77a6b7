import { isCoded } from "@keelson/base";

/** Returns a metric label of bounded cardinality for an error. */
export function failureCode(error: unknown): string {
  return isCoded(error) ? error.name : "Unexpected";
}
