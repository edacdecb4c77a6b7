/** Ownership rules of fields in built-in types, by `package.version.Type.field`. */
export interface Ownership {
  readonly lists: ReadonlyMap<string, ListKeys>;
  /** Fields that are owned as a unit. A rule for the type itself has an empty field name. */
  readonly atomic: ReadonlySet<string>;
  /** Fields that are granular, although their type is atomic. */
  readonly granular: ReadonlySet<string>;
}

interface ListKeys {
  /** Fields that identify the items. Empty for a set. */
  readonly keys: readonly string[];
  /** Values of keys that items may omit. Zero values are not listed. */
  readonly defaults: Readonly<Record<string, unknown>>;
}

/** Parses the lines of `TypeFacts.ownership`. */
export function parseOwnership(lines: readonly (readonly [string, ...string[]])[]): Ownership {
  const lists = new Map<string, ListKeys>();
  const atomic = new Set<string>();
  const granular = new Set<string>();
  for (const [type, ...fields] of lines) {
    for (const text of fields) {
      const equals = text.indexOf("=");
      const [field, code] = [`${type}.${text.slice(0, equals)}`, text.slice(equals + 1)];
      if (code === "!") atomic.add(field);
      else if (code === ".") granular.add(field);
      else lists.set(field, parseKeys(code));
    }
  }
  return { lists, atomic, granular };
}

function parseKeys(code: string): ListKeys {
  const parts = code === "" ? [] : code.split(",").map((each) => each.split(":"));
  return {
    keys: parts.map(([key = ""]) => key),
    defaults: Object.fromEntries(
      parts.flatMap(([key, json]) => (json === undefined ? [] : [[key, JSON.parse(json)]])),
    ),
  };
}
