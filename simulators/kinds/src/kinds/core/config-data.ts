import { isDeepStrictEqual } from "node:util";
import { fieldError } from "@keelson/apimachinery";
import type { Strategy } from "../strategy.ts";

/** Size limit of the data in a ConfigMap or Secret, in bytes. */
export const maxContentBytes = 1_048_576;

/** Makes the fields immutable if `immutable` is set, which cannot be reverted. */
export function unlessImmutable(fields: readonly string[]): NonNullable<Strategy["validate"]> {
  return (object, current) => {
    if (current?.immutable !== true) return [];
    const why = "field is immutable when `immutable` is set";
    const changed = fields.filter((field) => !isDeepStrictEqual(object[field], current[field]));
    const lifted = object.immutable === true ? [] : ["immutable"];
    return [...changed, ...lifted].map((field) => fieldError.forbidden(field, why));
  };
}
