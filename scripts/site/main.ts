/**
 * Builds the documentation site: static pages of the documents, the package READMEs and the API reference, with a search.
 * Fails if a link is dead.
 *
 *     node scripts/site/main.ts [DIRECTORY]     Default: .tools/site/pages
 */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { imagesDirectory } from "./links.ts";
import { siteSources, writeSources } from "./site-sources.ts";

const root = resolve(import.meta.dirname, "../..");
const work = join(root, ".tools/site");
const [output = join(work, "pages")] = process.argv.slice(2);

const { pages, dead } = siteSources(root);
for (const link of dead) console.error(`dead link in ${link}`);
if (dead.length > 0) process.exitCode = 1;
else {
  installGenerator();
  const sources = join(work, "sources");
  // Prevents the bundler from reading the repository's tsconfig.json, which contains unsupported options.
  writeFileSync(join(work, "tsconfig.json"), "{}\n");
  writeSources(pages, sources);
  cpSync(join(root, imagesDirectory), join(sources, "public", imagesDirectory), { recursive: true });
  cpSync(join(import.meta.dirname, "vitepress-config.mjs"), join(sources, ".vitepress/config.mjs"));
  rmSync(resolve(output), { recursive: true, force: true });
  const vitepress = join(work, "node_modules/vitepress/bin/vitepress.js");
  // VitePress reads its configuration from the source directory and its modules from the parent directory.
  const build = [vitepress, "build", sources, "--outDir", resolve(output)];
  const { status } = spawnSync(process.execPath, build, { stdio: "inherit" });
  if (status === 0) console.log(`${pages.length} pages in ${resolve(output)}`);
  else process.exitCode = 1;
}

/** Installs the site generator in the locked versions. Reinstalls it after a version change. */
function installGenerator(): void {
  mkdirSync(work, { recursive: true });
  const lock = readFileSync(join(import.meta.dirname, "package-lock.json"));
  try {
    if (readFileSync(join(work, "package-lock.json")).equals(lock)) {
      readFileSync(join(work, "node_modules/.package-lock.json"));
      return;
    }
  } catch {
    // The generator is not installed yet.
  }
  for (const file of ["package.json", "package-lock.json"])
    cpSync(join(import.meta.dirname, file), join(work, file));
  execFileSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: work, stdio: "inherit" });
}
