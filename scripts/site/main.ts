/**
 * Makes the documentation's site, static pages with a search: documents, READMEs of packages, the API reference. A link that
 * leads nowhere fails it.
 *
 *     node scripts/site/main.ts [FOLDER]     .tools/site/pages when absent
 */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { imagesFolder } from "./links.ts";
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
  // Without one it takes the repository's, some of which its bundler does not know.
  writeFileSync(join(work, "tsconfig.json"), "{}\n");
  writeSources(pages, sources);
  cpSync(join(root, imagesFolder), join(sources, "public", imagesFolder), { recursive: true });
  cpSync(join(import.meta.dirname, "vitepress-config.mjs"), join(sources, ".vitepress/config.mjs"));
  rmSync(resolve(output), { recursive: true, force: true });
  const vitepress = join(work, "node_modules/vitepress/bin/vitepress.js");
  // It reads its configuration from the sources' folder, and its modules from the one above.
  const build = [vitepress, "build", sources, "--outDir", resolve(output)];
  const { status } = spawnSync(process.execPath, build, { stdio: "inherit" });
  if (status === 0) console.log(`${pages.length} pages in ${resolve(output)}`);
  else process.exitCode = 1;
}

/** Of the locked versions, which only the site needs; again when they change. */
function installGenerator(): void {
  mkdirSync(work, { recursive: true });
  const lock = readFileSync(join(import.meta.dirname, "package-lock.json"));
  try {
    if (readFileSync(join(work, "package-lock.json")).equals(lock)) {
      readFileSync(join(work, "node_modules/.package-lock.json"));
      return;
    }
  } catch {
    // Not there yet.
  }
  for (const file of ["package.json", "package-lock.json"])
    cpSync(join(import.meta.dirname, file), join(work, file));
  execFileSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: work, stdio: "inherit" });
}
