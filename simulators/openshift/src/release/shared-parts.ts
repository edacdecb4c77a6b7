import { isPlainObject } from "@keelson/base";

/**
 * JSON values in which equal large parts are stored only once. `{ "$part": 3 }` refers to `parts[3]`. Parts may contain
 * references too.
 */
export interface SharedParts {
  readonly parts: readonly unknown[];
  readonly values: readonly unknown[];
}

/** Minimum length of a shared part in characters. Shorter parts are smaller than a reference. */
const smallestPart = 100;
const reference = "$part";

/**
 * Replaces repeated parts with references. Parts are in order of first occurrence.
 * @throws TypeError if a property has the name `$part`
 */
export function shareParts(values: readonly unknown[]): SharedParts {
  const repeated = repeatedTexts(values);
  const numbers = new Map<string, number>();
  const parts: unknown[] = [];
  const pack = (value: unknown): unknown => {
    if (!isContainer(value)) return value;
    const text = JSON.stringify(value);
    if (!repeated.has(text)) return packMembers(value);
    const known = numbers.get(text);
    if (known !== undefined) return { [reference]: known };
    const number = parts.length;
    numbers.set(text, number);
    parts.push(undefined);
    parts[number] = packMembers(value);
    return { [reference]: number };
  };
  const packMembers = (value: object): unknown => mapMembers(value, pack);
  return { values: values.map(pack), parts };
}

/** Restores the values. Equal parts are the same object, so callers must not modify them. */
export function joinParts({ parts, values }: SharedParts): readonly unknown[] {
  const joined = new Map<number, unknown>();
  const join = (value: unknown): unknown => {
    if (!isContainer(value)) return value;
    const number = isPlainObject(value) ? value[reference] : undefined;
    if (typeof number !== "number") return mapMembers(value, join);
    if (!joined.has(number)) joined.set(number, join(parts[number]));
    return joined.get(number);
  };
  return values.map(join);
}

/** Returns the JSON of each part that occurs several times. Occurrences inside a repeated part are counted only once. */
function repeatedTexts(values: readonly unknown[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  const visit = (value: unknown): void => {
    if (!isContainer(value)) return;
    if (isPlainObject(value) && reference in value)
      throw new TypeError(`a property named ${reference} would be read as a reference`);
    const text = JSON.stringify(value);
    if (text.length >= smallestPart) {
      if (seen.has(text)) {
        repeated.add(text);
        return;
      }
      seen.add(text);
    }
    for (const member of Object.values(value)) visit(member);
  };
  for (const value of values) visit(value);
  return repeated;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function mapMembers(value: object, map: (member: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(map);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, map(member)]));
}
