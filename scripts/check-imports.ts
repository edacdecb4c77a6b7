/**
 * Checks the imports of every package. Reports three kinds of imports: from a higher layer, by a path outside the package's
 * directory, and of files that a package does not export.
 */
import { globSync, readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import process from "node:process";
import { isForDevelopment } from "./image-files.ts";
import { importStatements } from "./import-statements.ts";
import { forbiddenImport, forbiddenInside } from "./package-rows.ts";
import { type WorkspacePackage, workspacePackages } from "./workspace/packages.ts";

export interface SourceFile {
  /** Path relative to the repository root. */
  readonly path: string;
  readonly text: string;
}

/** Returns one line per forbidden import: file, specifier and reason. Packages are keyed by directory. */
export function wrongImports(
  files: readonly SourceFile[],
  packages: ReadonlyMap<string, WorkspacePackage>,
): string[] {
  const directoryOf = new Map([...packages.values()].map(({ name, directory }) => [name, directory]));
  return files.flatMap((file) => {
    const directory = file.path.split("/").slice(0, 2).join("/");
    const own = packages.get(directory);
    const isTest = /(\.|\/)(test|client-test|long-test|testing)[./]/.test(file.path);
    return importStatements(file.text).flatMap(({ specifier, kind }) => {
      const complain = (why: string) => [`${file.path}: import of "${specifier}": ${why}`];
      if (!isTest && isForTests(specifier)) return complain("test support is for tests");
      if (specifier.startsWith(".")) {
        const target = relative(".", resolve(dirname(file.path), specifier));
        if (!target.startsWith(`${directory}/`)) return complain("leaves the package");
        const why = isTest ? undefined : forbiddenInside(file.path, target);
        return why ? complain(why) : [];
      }
      if (isTest || specifier.startsWith("node:")) return [];
      const [scope = "", target = ""] = specifier.split("/");
      const dependency = specifier.startsWith("@") ? `${scope}/${target}` : scope;
      if (scope === "@keelson") {
        const why = forbiddenImport(directory, directoryOf.get(dependency) ?? dependency);
        if (why) return complain(why);
      }
      const isInDevelopment = kind !== "static" || isForDevelopment(file.path);
      const known =
        dependency === own?.name ||
        own?.dependencies.includes(dependency) ||
        (isInDevelopment && own?.devDependencies.includes(dependency));
      return known ? [] : complain(`${directory}/package.json does not depend on ${dependency}`);
    });
  });
}

/** True for test runners, generators and test support. Production code must not import them. */
function isForTests(specifier: string): boolean {
  return (
    /^(?:node:test|node:assert|fast-check)(?:\/|$)/.test(specifier) ||
    /\/testing(?:\/|\.ts$|$)|\.(?:client-|long-)?test\.ts$/.test(specifier)
  );
}

/** Checks the repository at `root`. */
export function checkRepository(root: string): string[] {
  process.chdir(root);
  const files = globSync("{cmd,services,operators,libraries,simulators,clients}/*/src/**/*.{ts,tsx}").map(
    (path) => ({ path, text: readFileSync(path, "utf8") }),
  );
  return wrongImports(files, workspacePackages(root));
}

if (import.meta.main) {
  const wrong = checkRepository(new URL("..", import.meta.url).pathname);
  for (const line of wrong) console.error(line);
  process.exitCode = wrong.length === 0 ? 0 : 1;
}
