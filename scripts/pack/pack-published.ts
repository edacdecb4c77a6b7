import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type WorkspacePackage, workspacePackages } from "../workspace/packages.ts";
import { compilePackages } from "./compile-packages.ts";
import { type Publication, publications } from "./publications.ts";
import { stagePublication } from "./stage-publication.ts";

/** Returns packages with their dependencies in this repository. Dependencies come first. */
function withDependencies(
  names: readonly string[],
  packages: readonly WorkspacePackage[],
): readonly WorkspacePackage[] {
  const byName = new Map(packages.map((each) => [each.name, each]));
  const found = new Set<WorkspacePackage>();
  const add = (name: string) => {
    const own = byName.get(name);
    if (!own || found.has(own)) return;
    for (const dependency of own.dependencies) add(dependency);
    found.add(own);
  };
  for (const name of names) add(name);
  return [...found];
}

/**
 * Builds and packs published packages into `directory`. By default, packs all of them.
 * @returns the archive paths, dependencies first
 */
export function packPublished(
  root: string,
  directory: string,
  names: readonly string[] = publications.map(({ name }) => name),
): readonly string[] {
  const packages = [...workspacePackages(root).values()];
  const selected = names.map(publicationNamed);
  const needed = withDependencies(selected.flatMap(rootsOf), packages);
  using work = mkdtempDisposableSync(join(tmpdir(), "keelson-pack-"));
  const built = join(work.path, "built");
  compilePackages(root, needed, built);
  mkdirSync(directory, { recursive: true });
  return selected.map((publication) => {
    const bundled = publication.bundles ? withDependencies(rootsOf(publication), packages) : [];
    const stage = join(work.path, "stage", publication.name);
    stagePublication({ root, built, stage, publication, packages, bundled });
    const pack = ["pack", "--json", "--pack-destination", resolve(directory)];
    const [packed]: { readonly filename: string }[] = JSON.parse(
      execFileSync("npm", pack, { cwd: stage, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }),
    );
    if (!packed) throw new Error(`npm packed nothing of ${publication.name}`);
    return join(directory, packed.filename);
  });
}

function publicationNamed(name: string): Publication {
  const found = publications.find((each) => each.name === name);
  if (found) return found;
  const names = publications.map((each) => each.name).join(", ");
  throw new Error(`Unknown package "${name}". Published packages: ${names}.`);
}

/** Returns the names of the workspace packages from which a publication starts. */
function rootsOf({ source, with: others = [] }: Publication): readonly string[] {
  return [source, ...others];
}
