import { isDeepStrictEqual } from "node:util";
import { objectAt, valueAt } from "@keelson/base";
import type { ChangeCheck } from "./type-facts.ts";

/** Returns a check that makes fields immutable. A path has the form `spec.selector`. */
export function immutable(...paths: readonly string[]): ChangeCheck {
  const split = paths.map((path) => path.split("."));
  return (object, current, findings) => {
    for (const path of split) {
      const [value, before] = [valueAt(object, ...path), valueAt(current, ...path)];
      if (value !== before && !isDeepStrictEqual(value, before))
        findings.invalid(value ?? null, "field is immutable", ...path);
    }
  };
}

/** Returns a check that makes all fields of the spec immutable, except `free`. */
export function unchangedBut(free: readonly string[], why: string): ChangeCheck {
  return (object, current, findings) => {
    const fixed = (of: unknown) =>
      Object.fromEntries(Object.entries(objectAt(of, "spec")).filter(([field]) => !free.includes(field)));
    if (!isDeepStrictEqual(fixed(object), fixed(current))) findings.forbidden(why, "spec");
  };
}
