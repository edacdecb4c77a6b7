/** Reads the imports of every package and names each arrow that points up, out of a package, or past a front door. */
import { globSync, readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import process from "node:process";
import { wrongArrow } from "./package-rows.ts";

/** Static imports and re-exports, imports for effect, dynamic imports: the specifier is in one of three groups. */
const importPattern =
  /^(?:import|export)\s[^"';]*?\sfrom\s+"([^"]+)"|^import\s+"([^"]+)"|\bimport\(\s*"([^"]+)"\s*\)/gm;

export interface SourceFile {
  /** Relative to the root of the repository. */
  readonly path: string;
  readonly text: string;
}

/** One line per wrong import: where, what, why. */
export function wrongImports(
  files: readonly SourceFile[],
  dependenciesOf: (folder: string) => readonly string[],
): string[] {
  return files.flatMap((file) => {
    const folder = file.path.split("/").slice(0, 2).join("/");
    const name = folder.split("/")[1] ?? "";
    const isTest = /(\.|\/)(test|client-test|testing)[./]/.test(file.path) || file.path.includes(".test.");
    return [...file.text.matchAll(importPattern)].flatMap(([, named, effect, dynamic]) => {
      const specifier = named ?? effect ?? dynamic ?? "";
      const complain = (why: string) => [`${file.path}: import of "${specifier}": ${why}`];
      if (specifier.startsWith(".")) {
        const target = relative(".", resolve(dirname(file.path), specifier));
        return target.startsWith(`${folder}/`) ? [] : complain("leaves the package");
      }
      if (isTest) return [];
      const [scope = "", target = ""] = specifier.split("/");
      if (scope === "@keelson") {
        const why = wrongArrow(name, target);
        if (why) return complain(why);
        if (specifier.endsWith("/testing")) return complain("test support is for tests");
      }
      if (specifier.startsWith("node:")) return [];
      const dependency = specifier.startsWith("@") ? `${scope}/${target}` : scope;
      const known = dependency === `@keelson/${name}` || dependenciesOf(folder).includes(dependency);
      return known ? [] : complain(`${folder}/package.json does not depend on ${dependency}`);
    });
  });
}

/** Checks the repository below `root`. */
export function checkRepository(root: string): string[] {
  process.chdir(root);
  const files = globSync(["packages/*/src/**/*.ts", "cmd/*/src/**/*.ts", "sdk/*/src/**/*.ts"]).map(
    (path) => ({
      path,
      text: readFileSync(path, "utf8"),
    }),
  );
  return wrongImports(files, (folder) => {
    const manifest: { dependencies?: Record<string, string> } = JSON.parse(
      readFileSync(`${folder}/package.json`, "utf8"),
    );
    return Object.keys(manifest.dependencies ?? {});
  });
}
