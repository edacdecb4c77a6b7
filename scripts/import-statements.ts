/** Import or re-export statement. */
export interface ImportStatement {
  readonly specifier: string;
  /** Kind of the import. `types` is erased at run time. `dynamic` loads the module when the code runs. */
  readonly kind: "static" | "types" | "dynamic";
  /** Imported names. `undefined` for namespace imports and imports without names. */
  readonly names: readonly string[] | undefined;
}

/**
 * Matches static imports, re-exports, side-effect imports and dynamic imports. The specifier is in one of the three capture
 * groups.
 */
const statement =
  /^(?:(?:import|export)\s([^"';]*?)\sfrom\s+"([^"]+)"|import\s+"([^"]+)")|\bimport\(\s*"([^"]+)"\s*\)/gm;

export function importStatements(text: string): readonly ImportStatement[] {
  return [...text.matchAll(statement)].map(([, clause, named, effect, dynamic]) => ({
    specifier: named ?? effect ?? dynamic ?? "",
    kind: dynamic !== undefined ? "dynamic" : /^type\s/.test(clause ?? "") ? "types" : "static",
    names: clause === undefined ? undefined : namesOf(clause),
  }));
}

/** Returns the imported names as the imported module exports them. For `{ type A, b as c }`, the names are `A` and `b`. */
function namesOf(clause: string): readonly string[] | undefined {
  const list = /\{([^}]*)\}/.exec(clause)?.[1];
  if (list === undefined || /\*/.test(clause)) return undefined;
  return list
    .split(",")
    .map((each) =>
      each
        .trim()
        .replace(/^type\s+/, "")
        .replace(/\s+as\s+.*$/, ""),
    )
    .filter(Boolean);
}

/** Returns the exported names of re-exports. For `{ a as b }`, the name is `b`. */
export function exportedNames(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [, clause = "", specifier = ""] of text.matchAll(
    /^export\s+(?:type\s+)?\{([^}]*)\}\s+from\s+"([^"]+)"/gm,
  )) {
    for (const each of clause.split(",")) {
      const name = each
        .trim()
        .replace(/^type\s+/, "")
        .replace(/^.*\sas\s+/, "");
      if (name) found.set(name, specifier);
    }
  }
  return found;
}
