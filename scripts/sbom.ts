/**
 * Writes the software bill of materials (SBOM) of the service's image in CycloneDX format. It lists every package that
 * production runs, with its version, license and checksum. Uses `npm sbom`.
 *
 *     node scripts/sbom.ts FILE
 */
import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempDisposableSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import { imageFiles } from "./image-files.ts";

interface Manifest {
  devDependencies?: unknown;
}

interface Lock {
  readonly packages: Record<string, Manifest & { readonly link?: boolean; readonly resolved?: string }>;
}

/**
 * Writes the SBOM. `npm sbom --omit dev` omits each package that is a development dependency of any workspace, even if production
 * needs the package. The SBOM is therefore computed from temporary manifests without development dependencies.
 */
export function writeSbom(root: string, file: string): void {
  using tree = mkdtempDisposableSync(join(tmpdir(), "keelson-sbom-"));
  for (const path of imageFiles(root).filter((each) => /package(?:-lock)?\.json$/.test(each)))
    cpSync(join(root, path), join(tree.path, path));
  for (const path of globSync(["package.json", "*/*/package.json"], { cwd: tree.path }))
    rewrite<Manifest>(join(tree.path, path), (manifest) => delete manifest.devDependencies);
  rewrite<Lock>(join(tree.path, "package-lock.json"), ({ packages }) => {
    for (const [path, entry] of Object.entries(packages)) {
      delete entry.devDependencies;
      const directory = entry.link ? (entry.resolved ?? "") : path;
      const isAbsent = !existsSync(join(tree.path, directory, "package.json"));
      if (isAbsent && !directory.includes("node_modules/")) delete packages[path];
    }
  });
  const sbom = execFileSync("npm", ["sbom", "--package-lock-only", "--sbom-format", "cyclonedx"], {
    cwd: tree.path,
    maxBuffer: 64 << 20,
  });
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, sbom);
}

function rewrite<T>(path: string, change: (content: T) => void): void {
  const content: T = JSON.parse(readFileSync(path, "utf8"));
  change(content);
  writeFileSync(path, JSON.stringify(content));
}

if (import.meta.main) {
  const [file] = process.argv.slice(2);
  if (file === undefined) {
    console.error("usage: node scripts/sbom.ts FILE");
    process.exitCode = 2;
  } else writeSbom(resolve(import.meta.dirname, ".."), file);
}
