import { chmodSync, cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { WorkspacePackage } from "../workspace/packages.ts";
import type { Publication } from "./publications.ts";
import { type Manifest, publishedManifest } from "./published-manifest.ts";

export interface Staging {
  readonly root: string;
  /** Directory with the compiler's output. */
  readonly built: string;
  /** Directory that `npm pack` archives. */
  readonly stage: string;
  readonly publication: Publication;
  readonly packages: readonly WorkspacePackage[];
  /**
   * Workspace packages in the archive, including the published package. If empty, the archive contains only the published
   * package.
   */
  readonly bundled: readonly WorkspacePackage[];
}

/** Directories with data files that a package's modules read at run time. */
const dataDirectories = ["sql", "manifests", "content"];
/** Packages with pages that Vite has built. */
const packagesWithPages = ["services/portal-web", "simulators/console"];

/** Copies the files of a publication into a staging directory in npm's layout. */
export function stagePublication({ root, built, stage, publication, packages, bundled }: Staging): void {
  const own = packages.find(({ name }) => name === publication.source);
  if (!own) throw new Error(`Package ${publication.source} not found.`);
  const parts = bundled.filter((each) => each !== own);
  copyPackage(root, built, own, stage);
  for (const part of parts) {
    const directory = join(stage, "node_modules", part.name);
    copyPackage(root, built, part, directory);
    writeManifest(directory, publishedManifest(readManifest(root, part), {}));
  }
  const { bin = {}, executables = {} } = publication;
  const files = { ...executables };
  const programs: Record<string, string> = {};
  for (const [name, module] of Object.entries(bin)) {
    programs[name] = `bin/${name}.js`;
    files[`bin/${name}.js`] = module;
  }
  for (const [path, module] of Object.entries(files)) writeExecutable(join(stage, path), `../${module}`);
  const manifest = publishedManifest(
    { ...readManifest(root, own), name: publication.name },
    { bin: programs, bundled: parts.map((part) => readManifest(root, part)) },
  );
  writeManifest(stage, manifest);
}

function copyPackage(root: string, built: string, { directory }: WorkspacePackage, stage: string): void {
  const source = join(root, directory);
  mkdirSync(stage, { recursive: true });
  cpSync(join(built, directory, "src"), join(stage, "lib"), { recursive: true });
  for (const path of dataFilesOf(join(source, "src")))
    copy(join(source, "src", path), join(stage, "lib", path));
  for (const each of dataDirectories)
    if (existsSync(join(source, each))) cpSync(join(source, each), join(stage, each), { recursive: true });
  if (packagesWithPages.includes(directory)) {
    const pages = join(source, "dist");
    if (!existsSync(join(pages, "index.html")))
      throw new Error(`${pages} has no pages. Build them with \`make packages\`.`);
    cpSync(pages, join(stage, "dist"), { recursive: true });
  }
  if (directory === "libraries/openapi")
    for (const path of globSync("**/redhatopenshift.json", { cwd: join(root, "swagger") }))
      copy(join(root, "swagger", path), join(stage, "swagger", path));
  copy(join(source, "README.md"), join(stage, "README.md"));
  copy(join(root, "LICENSE"), join(stage, "LICENSE"));
}

/** Returns the files below `src` that modules read at run time. */
function dataFilesOf(source: string): readonly string[] {
  return globSync("**/*.{json,yaml,yml,txt,sh,pem}", { cwd: source }).filter(
    (path) => !/(?:^|\/)(?:testing|pages)\//.test(path),
  );
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to);
}

function writeExecutable(path: string, module: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const first = "#!/usr/bin/env -S node --disable-warning=ExperimentalWarning";
  writeFileSync(path, `${first}\nimport ${JSON.stringify(module)};\n`);
  chmodSync(path, 0o755);
}

function readManifest(root: string, { directory }: WorkspacePackage): Manifest {
  return JSON.parse(readFileSync(join(root, directory, "package.json"), "utf8"));
}

function writeManifest(stage: string, manifest: object): void {
  writeFileSync(join(stage, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
}
