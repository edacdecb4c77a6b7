/**
 * Packs the published packages and their dependencies in this repository for npm. The archives contain JavaScript because
 * Node does not run TypeScript in installed packages.
 *
 *     node scripts/pack.ts FOLDER     writes NAME-VERSION.tgz to FOLDER for `npm publish`
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempDisposableSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { type WorkspacePackage, workspacePackages } from "./workspace.ts";

const published = ["@keelson/apiserver", "@keelson/workflow"];
/** Private packages that the archives of published packages include. */
const bundled: ReadonlySet<string> = new Set([
  "@keelson/apimachinery",
  "@keelson/cel",
  "@keelson/kinds",
  "@keelson/schema",
  "@keelson/wire-formats",
]);

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly description: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string>>;
}

/** Returns packages with their dependencies in this repository. Dependencies come first. */
export function withDependencies(
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
 * Returns the manifest for publication. It contains the built entry points without test support, and the bundled private
 * packages.
 */
export function publishedManifest(
  { name, version, license, description, dependencies, exports }: Manifest,
  parts: readonly Manifest[],
): object {
  const built = Object.entries(exports)
    .filter(([, file]) => !file.includes("/testing/"))
    .map(([path, file]) => {
      const base = file.replace("./src/", "./dist/").replace(/\.ts$/, "");
      return [path, { types: `${base}.d.ts`, default: `${base}.js` }] as const;
    });
  return {
    name,
    version,
    license,
    description,
    type: "module",
    engines: { node: ">=24" },
    exports: Object.fromEntries(built),
    files: ["dist", "sql"],
    // npm does not install the dependencies of bundled packages, so they are added here.
    dependencies: Object.assign({}, dependencies, ...parts.map((part) => part.dependencies)),
    ...(parts.length > 0 ? { bundleDependencies: parts.map((part) => part.name) } : {}),
  };
}

/** Builds and packs all published packages into `folder`. @returns the archive paths, dependencies first */
export function packPublished(root: string, directory: string): readonly string[] {
  const packages = withDependencies(published, [...workspacePackages(root).values()]);
  using work = mkdtempDisposableSync(join(tmpdir(), "keelson-pack-"));
  const built = join(work.path, "built");
  compile(root, packages, built);
  mkdirSync(directory, { recursive: true });
  return packages
    .filter(({ name }) => !bundled.has(name))
    .map((own) => {
      const stage = join(work.path, "stage", own.directory);
      const parts = packages.filter(({ name }) => bundled.has(name) && own.dependencies.includes(name));
      stagePackage(root, built, own, stage, parts);
      for (const part of parts) stagePackage(root, built, part, join(stage, "node_modules", part.name));
      const pack = ["pack", "--json", "--pack-destination", resolve(directory)];
      const [packed]: { readonly filename: string }[] = JSON.parse(
        execFileSync("npm", pack, { cwd: stage, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }),
      );
      if (!packed) throw new Error(`npm packed nothing of ${own.directory}`);
      return join(directory, packed.filename);
    });
}

/** Copies the files of a package into a staging directory in npm's layout. */
function stagePackage(
  root: string,
  built: string,
  { directory }: WorkspacePackage,
  stage: string,
  parts: readonly WorkspacePackage[] = [],
): void {
  mkdirSync(stage, { recursive: true });
  cpSync(join(built, directory, "src"), join(stage, "dist"), { recursive: true });
  const sql = join(root, directory, "sql");
  if (existsSync(sql)) cpSync(sql, join(stage, "sql"), { recursive: true });
  cpSync(join(root, directory, "README.md"), join(stage, "README.md"));
  cpSync(join(root, "LICENSE"), join(stage, "LICENSE"));
  const [own, ...others] = [directory, ...parts.map((part) => part.directory)].map(
    (each): Manifest => JSON.parse(readFileSync(join(root, each, "package.json"), "utf8")),
  );
  if (!own) throw new Error(`${directory} has no manifest`);
  const manifest = JSON.stringify(publishedManifest(own, others), null, 2);
  writeFileSync(join(stage, "package.json"), `${manifest}\n`);
}

/** Compiles all packages together, so that shared types are compiled once. Each package keeps its path below `outDir`. */
function compile(root: string, packages: readonly WorkspacePackage[], outDir: string): void {
  const config = join(outDir, "tsconfig.json");
  mkdirSync(outDir, { recursive: true });
  const options = {
    extends: join(root, "tsconfig.json"),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      // Node 24 supports all of its syntax.
      target: "esnext",
      rootDir: root,
      outDir,
      typeRoots: [join(root, "node_modules/@types")],
    },
    include: packages.map(({ directory }) => join(root, directory, "src")),
    exclude: ["**/*.test.ts", "**/*.client-test.ts", "**/*.long-test.ts", "**/testing", "**/generate.ts"],
  };
  writeFileSync(
    config,
    JSON.stringify({ ...options, exclude: options.exclude.map((each) => join(root, each)) }),
  );
  execFileSync(join(root, "node_modules/.bin/tsc"), ["-p", config], { stdio: "inherit" });
}

if (import.meta.main) {
  const [directory] = process.argv.slice(2);
  if (directory === undefined) {
    console.error("usage: node scripts/pack.ts FOLDER");
    process.exitCode = 2;
  } else for (const file of packPublished(resolve(import.meta.dirname, ".."), directory)) console.log(file);
}
