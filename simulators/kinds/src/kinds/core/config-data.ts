import { isDeepStrictEqual } from "node:util";
import { fieldError } from "@keelson/apimachinery";
import type { Strategy } from "../strategy.ts";

/** What the data of a ConfigMap or Secret may have in all. */
export const maxContentBytes = 1_048_576;

/** The fields stay as they are while `immutable` is set, and that is never taken back. */
export function unlessImmutable(fields: readonly string[]): NonNullable<Strategy["validate"]> {
  return (object, current) => {
    if (current?.immutable !== true) return [];
    const why = "field is immutable when `immutable` is set";
    const changed = fields.filter((field) => !isDeepStrictEqual(object[field], current[field]));
    const lifted = object.immutable === true ? [] : ["immutable"];
    return [...changed, ...lifted].map((field) => fieldError.forbidden(field, why));
  };
}
