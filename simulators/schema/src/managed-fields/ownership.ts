/** How fields of built-in types divide among their owners, by `package.version.Type.field`. */
export interface Ownership {
  readonly lists: ReadonlyMap<string, ListKeys>;
  /** Owned as a whole; a type itself has an empty field. */
  readonly atomic: ReadonlySet<string>;
  /** Owned by member though their type is atomic. */
  readonly granular: ReadonlySet<string>;
}

interface ListKeys {
  /** None for a set. */
  readonly keys: readonly string[];
  /** The values of keys that items may leave out, where these are not the zero values. */
  readonly defaults: Readonly<Record<string, unknown>>;
}

/** Reads lines as `TypeFacts.ownership` has them. */
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
