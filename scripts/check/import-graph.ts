import { dirname, join, normalize } from "node:path";
import { exportedNames, importStatements } from "../import-statements.ts";
import type { WorkspacePackage } from "../workspace/packages.ts";

/** Direct importers of each file. Paths are relative to the repository root. */
export type Importers = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Returns the importers of each file. If a file imports a name from an `index.ts`, it counts as an importer of the file that
 * declares the name. Therefore, a changed file affects only the importers of its declarations instead of all importers of the
 * package.
 */
export function importersOf(
  texts: ReadonlyMap<string, string>,
  packages: ReadonlyMap<string, WorkspacePackage>,
): Importers {
  const entries = entriesOf(packages);
  const importers = new Map<string, Set<string>>();
  for (const [file, text] of texts) {
    for (const { specifier, names } of importStatements(text)) {
      const target = resolveSpecifier(specifier, file, entries);
      if (target === undefined) continue;
      for (const each of sourcesOf(target, names, texts, entries)) {
        importers.set(each, (importers.get(each) ?? new Set()).add(file));
      }
    }
  }
  return importers;
}

/** Returns the file of each entry point by import specifier, for example `@keelson/base/testing`. */
function entriesOf(packages: ReadonlyMap<string, WorkspacePackage>): ReadonlyMap<string, string> {
  return new Map(
    [...packages.values()].flatMap(({ directory, name, exports }) =>
      Object.entries(exports).map(([path, file]): [string, string] => [
        path === "." ? name : `${name}/${path.slice(2)}`,
        join(directory, file),
      ]),
    ),
  );
}

function resolveSpecifier(
  specifier: string,
  from: string,
  entries: ReadonlyMap<string, string>,
): string | undefined {
  return specifier.startsWith(".") ? normalize(join(dirname(from), specifier)) : entries.get(specifier);
}

/**
 * Returns the files that declare the names that a file exports. A name that is not a re-export is declared in the file itself.
 */
function sourcesOf(
  file: string,
  names: readonly string[] | undefined,
  texts: ReadonlyMap<string, string>,
  entries: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  const text = file.endsWith("/index.ts") ? texts.get(file) : undefined;
  if (text === undefined || names === undefined) return new Set([file]);
  const passedOn = exportedNames(text);
  return new Set(
    names.flatMap((name) => {
      const specifier = passedOn.get(name);
      const source = specifier === undefined ? undefined : resolveSpecifier(specifier, file, entries);
      return source === undefined ? [file] : [...sourcesOf(source, [name], texts, entries)];
    }),
  );
}
