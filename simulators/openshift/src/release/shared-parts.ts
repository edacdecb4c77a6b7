import { isPlainObject } from "@keelson/base";

/** JSON values whose large equal parts are kept once: `{ "$part": 3 }` stands for `parts[3]`, in parts too. */
export interface SharedParts {
  readonly parts: readonly unknown[];
  readonly values: readonly unknown[];
}

/** What is shorter costs less than the reference and the reader's time. */
const smallestPart = 100;
const reference = "$part";

/** Packs values, the parts in the order in which they are first met. @throws TypeError for a member `$part` */
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

/** The packed values. Equal parts are one object, which must not be changed. */
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

/** The texts of the parts that occur at two places, neither of which lies in another such part. */
function repeatedTexts(values: readonly unknown[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  const visit = (value: unknown): void => {
    if (!isContainer(value)) return;
    if (isPlainObject(value) && reference in value)
      throw new TypeError(`a member called ${reference} would be taken for a reference`);
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
