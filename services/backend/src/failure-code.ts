import { isCoded } from "@keelson/base";

/** A label of bounded cardinality for an error. */
export function failureCode(error: unknown): string {
  return isCoded(error) ? error.name : "Unexpected";
}
