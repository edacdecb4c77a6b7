import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

export interface WorkspacePackage {
  /** Directory relative to the repository root, for example `libraries/base`. */
  readonly directory: string;
  /** Package name in imports, for example `@keelson/base`. */
  readonly name: string;
  readonly dependencies: readonly string[];
  readonly devDependencies: readonly string[];
  /** Files by import path, for example `{ ".": "./src/index.ts" }`. */
  readonly exports: Readonly<Record<string, string>>;
}

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, string>>;
}

/** Reads the packages of the repository at `root`. The keys are directories. */
export function workspacePackages(root: string): ReadonlyMap<string, WorkspacePackage> {
  const workspaces: readonly string[] = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  ).workspaces;
  const manifests = globSync(
    workspaces.map((directory) => `${directory}/package.json`),
    { cwd: root },
  );
  return new Map(
    manifests.sort().map((file) => {
      const manifest: Manifest = JSON.parse(readFileSync(join(root, file), "utf8"));
      const directory = dirname(file);
      const dependencies = Object.keys(manifest.dependencies ?? {});
      const { name, exports = {}, devDependencies = {} } = manifest;
      return [
        directory,
        { directory, name, dependencies, devDependencies: Object.keys(devDependencies), exports },
      ];
    }),
  );
}
