import { isDeepStrictEqual } from "node:util";
import { fieldError } from "@keelson/apimachinery";
import type { Strategy } from "../strategy.ts";

/** Maximum size of the data in a ConfigMap or Secret, in bytes. */
export const maxContentBytes = 1_048_576;

/**
 * Returns a check for objects with `immutable: true`. An update must not change the fields in `fields`, and must not unset
 * `immutable`.
 */
export function unlessImmutable(fields: readonly string[]): NonNullable<Strategy["validate"]> {
  return (object, current) => {
    if (current?.immutable !== true) return [];
    const why = "field is immutable when `immutable` is set";
    const changed = fields.filter((field) => !isDeepStrictEqual(object[field], current[field]));
    const lifted = object.immutable === true ? [] : ["immutable"];
    return [...changed, ...lifted].map((field) => fieldError.forbidden(field, why));
  };
}
