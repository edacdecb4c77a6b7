import { isDeepStrictEqual } from "node:util";
import { isPlainObject } from "@keelson/base";
import type { StructuralSchema } from "./structural-schema.ts";

/**
 * A value of an object that is updated, beside what it was before. What was wrong already and has not changed is
 * tolerated (Kubernetes calls it ratcheting), so each part has to be found again in the old object.
 */
export interface Correlated {
  readonly old: unknown;
  readonly unchanged: () => boolean;
}

export function correlate(value: unknown, old: unknown): Correlated {
  let equal: boolean | undefined;
  return {
    old,
    unchanged: () => {
      equal ??= isDeepStrictEqual(value, old);
      return equal;
    },
  };
}

/** The same member of the old object; `undefined` when it had none. */
export function correlateMember(
  parent: Correlated | undefined,
  name: string,
  value: unknown,
): Correlated | undefined {
  const old = parent?.old;
  return isPlainObject(old) && Object.hasOwn(old, name) ? correlate(value, old[name]) : undefined;
}

/** The element of the old list with the same keys. Only lists of type map have such. */
export function correlateElement(
  parent: Correlated | undefined,
  schema: StructuralSchema,
  value: unknown,
): Correlated | undefined {
  if (!parent || schema.listType !== "map" || !Array.isArray(parent.old)) return undefined;
  const key = keysOf(schema, value);
  const found = key === undefined ? undefined : parent.old.find((each) => keysOf(schema, each) === key);
  return found === undefined ? undefined : correlate(value, found);
}

/** The keys of an element of a map list as one text; keys that are left out have their defaults. */
export function keysOf({ listMapKeys, items }: StructuralSchema, element: unknown): string | undefined {
  if (!isPlainObject(element)) return undefined;
  return JSON.stringify(
    listMapKeys.map((key) =>
      Object.hasOwn(element, key) ? element[key] : (items?.properties.get(key)?.default ?? null),
    ),
  );
}
