import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { workspacePackages } from "../workspace/packages.ts";

type Form = (version: string) => string;

/**
 * Files other than package.json that contain the version. Each function returns the version with the characters around it in the
 * file.
 */
const furtherFiles: Readonly<Record<string, readonly Form[]>> = {
  "clients/python/src/keelson/mgmt/redhatopenshift/_version.py": [(version) => `VERSION = "${version}"`],
  "clients/az-extension/pyproject.toml": [(version) => `\nversion = "${version}"`],
  "clients/az-extension/README.md": [(version) => `keelson_aro-${version}-py3`],
  "deploy/kubernetes/kustomization.yaml": [(version) => `newTag: ${version}\n`],
  "deploy/kubernetes/migrate.yaml": [(version) => `/keelson:${version}\n`],
  "docs/kubernetes.md": [(version) => `newTag: ${version} `, (version) => `?ref=v${version}]`],
  "docs/dev-image.md": [(version) => `/keelson-dev:${version}\n`],
};

interface Manifest {
  version?: string;
  readonly name?: string;
  readonly link?: boolean;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

const dependencyFields = [
  "dependencies",
  "devDependencies",
  "optionalDependencies",
  "peerDependencies",
] as const;

/** Returns the version of the repository. */
export function currentVersion(root: string): string {
  const { version = "" }: Manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return version;
}

/**
 * Returns the new file contents, by path, that set the version of all packages. Dependencies between packages of the repository
 * also get the new version.
 * @throws Error if a file does not contain the current version
 */
export function versionChanges(root: string, version: string): ReadonlyMap<string, string> {
  const before = currentVersion(root);
  const packages = workspacePackages(root);
  const names = new Set([...packages.values()].map(({ name }) => name));
  const changes = new Map<string, string>();
  const change = (manifest: Manifest) => {
    if (manifest.version !== undefined) manifest.version = version;
    for (const field of dependencyFields)
      for (const [name, wanted] of Object.entries(manifest[field] ?? {}))
        if (names.has(name) && wanted === before) Object.assign(manifest[field] ?? {}, { [name]: version });
  };
  for (const directory of ["", ...packages.keys()]) {
    const path = join(directory, "package.json");
    const manifest: Manifest = JSON.parse(readFileSync(join(root, path), "utf8"));
    if (manifest.version !== before)
      throw new Error(`${path} has version ${manifest.version}, but package.json has ${before}.`);
    change(manifest);
    changes.set(path, `${JSON.stringify(manifest, null, 2)}\n`);
  }
  const lock: { version?: string; packages: Record<string, Manifest> } = JSON.parse(
    readFileSync(join(root, "package-lock.json"), "utf8"),
  );
  lock.version = version;
  for (const directory of ["", ...packages.keys()]) change(lock.packages[directory] ?? {});
  changes.set("package-lock.json", `${JSON.stringify(lock, null, 2)}\n`);
  for (const [path, forms] of Object.entries(furtherFiles)) {
    if (!existsSync(join(root, path))) continue;
    let content = readFileSync(join(root, path), "utf8");
    for (const form of forms) {
      if (!content.includes(form(before)))
        throw new Error(`${path} does not contain ${form(before).trim()}.`);
      content = content.replaceAll(form(before), form(version));
    }
    changes.set(path, content);
  }
  return changes;
}

/** Writes the contents below `root`. */
export function writeChanges(root: string, changes: ReadonlyMap<string, string>): void {
  for (const [path, content] of changes) writeFileSync(join(root, path), content);
}
