/** An import or re-export as it is written. */
export interface ImportStatement {
  readonly specifier: string;
  /** `types` leaves nothing at run time; `dynamic` loads when it is called. */
  readonly kind: "static" | "types" | "dynamic";
  /** Imported names; `undefined` for a namespace import and for an import without names. */
  readonly names: readonly string[] | undefined;
}

/** Static imports and re-exports, imports for effect, dynamic imports: the specifier is in one of three groups. */
const statement =
  /^(?:(?:import|export)\s([^"';]*?)\sfrom\s+"([^"]+)"|import\s+"([^"]+)")|\bimport\(\s*"([^"]+)"\s*\)/gm;

export function importStatements(text: string): readonly ImportStatement[] {
  return [...text.matchAll(statement)].map(([, clause, named, effect, dynamic]) => ({
    specifier: named ?? effect ?? dynamic ?? "",
    kind: dynamic !== undefined ? "dynamic" : /^type\s/.test(clause ?? "") ? "types" : "static",
    names: clause === undefined ? undefined : namesOf(clause),
  }));
}

/** Names as the imported module exports them: `A` and `b` for `{ type A, b as c }`. */
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

/** Names that a re-export exports: `b` for `{ a as b }`. */
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
