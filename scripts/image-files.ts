/**
 * Selects the files of the two images. The image of the service contains no simulators. The image for development contains
 * everything that `keelson up` needs. Neither image contains tests or the dependencies of tests.
 *
 *     node scripts/image-files.ts DIRECTORY [--dev]     copies the files to DIRECTORY
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

const simulatorFiles = [
  "simulators/*/package.json",
  "simulators/*/src/**/*.*",
  "simulators/console/dist/**/*.*",
];

/** Simulation commands of `keelson up` and `keelson sim`. */
const simulation = "cmd/keelson/src/world/";

/** True if the file is not part of the service's image. Only tests, builds and the simulation use it. */
export function isForDevelopment(path: string): boolean {
  return isLeftOut(path) || path.startsWith(simulation);
}

/** True if the file is not part of any image. */
function isLeftOut(path: string): boolean {
  return (
    /\.(?:client-|long-)?test\.ts$|\/testing\//.test(path) ||
    path.startsWith("simulators/console/src/pages/") ||
    // The images contain the compiled browser code in `dist` instead of its sources.
    (path.startsWith("services/portal-web/src/") && path !== "services/portal-web/src/index.ts")
  );
}

/** Returns the files of the service's image, as paths relative to the repository root. */
export function imageFiles(root: string): readonly string[] {
  return developmentImageFiles(root).filter(
    (path) => !path.startsWith("simulators/") && !isForDevelopment(path),
  );
}

/** Returns the files of the image for development, as paths relative to the repository root. */
export function developmentImageFiles(root: string): readonly string[] {
  return globSync([...files, ...simulatorFiles], { cwd: root })
    .filter((path) => !path.includes("node_modules/") && !isLeftOut(path))
    .sort();
}

if (import.meta.main) {
  const [directory, variant] = process.argv.slice(2);
  if (directory === undefined || (variant !== undefined && variant !== "--dev")) {
    console.error("usage: node scripts/image-files.ts DIRECTORY [--dev]");
    process.exitCode = 2;
  } else {
    const root = resolve(import.meta.dirname, "..");
    const paths = variant === undefined ? imageFiles(root) : developmentImageFiles(root);
    for (const path of paths) cpSync(join(root, path), join(directory, path));
  }
}
