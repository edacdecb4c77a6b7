/**
 * Selects the files of the service's image. Excludes simulators, tests and their dependencies.
 *
 *     node scripts/image-files.ts FOLDER     copies the files to FOLDER
 */
import { cpSync, globSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";

const files = [
  "package.json",
  "package-lock.json",
  "LICENSE",
  "{cmd,services,operators,libraries}/*/package.json",
  "{cmd,services,operators,libraries}/*/src/**/*.*",
  // Data files that the programs read: migrations, operator manifests, sample catalogues, and the documents for `keelson
  // swagger`.
  "libraries/database/sql/*.sql",
  "operators/*/manifests/*.yaml",
  "operators/samples/content/**/*.json",
  "swagger/**/redhatopenshift.json",
  "services/portal-web/dist/**/*.*",
];

/** True if only tests and development use the file. */
export function isForDevelopment(path: string): boolean {
  return (
    /\.(?:client-|long-)?test\.ts$|\/testing\//.test(path) ||
    // Simulation commands of `keelson up` and `keelson sim`.
    path.startsWith("cmd/keelson/src/world/") ||
    path.startsWith("simulators/console/src/pages/") ||
    // The image contains the compiled browser code in `dist` instead.
    (path.startsWith("services/portal-web/src/") && path !== "services/portal-web/src/index.ts")
  );
}

/** Returns the paths of the image's files relative to the repository root. */
export function imageFiles(root: string): readonly string[] {
  return globSync(files, { cwd: root })
    .filter((path) => !path.includes("node_modules/") && !isForDevelopment(path))
    .sort();
}

if (import.meta.main) {
  const [directory] = process.argv.slice(2);
  if (directory === undefined) {
    console.error("usage: node scripts/image-files.ts FOLDER");
    process.exitCode = 2;
  } else {
    const root = resolve(import.meta.dirname, "..");
    for (const path of imageFiles(root)) cpSync(join(root, path), join(directory, path));
  }
}
