/** Tests the documentation site that `make docs` builds. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

const root = resolve(import.meta.dirname, "../..");
const directory = mkdtempSync(join(tmpdir(), "keelson-site-"));
const site = join(directory, "pages");
after(() => rmSync(directory, { recursive: true }));
before(async () => {
  const script = join(root, "scripts/site/main.ts");
  await promisify(execFile)(process.execPath, ["--disable-warning=ExperimentalWarning", script, site], {
    maxBuffer: 16 << 20,
  });
});
const html = (path: string) => readFileSync(join(site, path), "utf8");

test("documents, packages and the API's versions are pages that need no script to be read", () => {
  assert.match(html("index.html"), /<h1[^>]*>Keelson/);
  const written = readFileSync(join(root, "docs/deploy.md"), "utf8").match(/^## .+$/gm) ?? [];
  const shown = html("docs/deploy.html").match(/<h2 id="[^"]+"/g) ?? [];
  assert.ok(written.length > 0 && shown.length === written.length, `${shown.length} of ${written.length}`);
  assert.match(html("simulators/apiserver/index.html"), /startApiServer/);
  assert.match(html("reference/2025-07-25.html"), /<h3 id="openshiftclusters_createorupdate"/);
  assert.match(html("reference/2025-07-25.html"), /Azure-AsyncOperation/);
  // Template expressions must be escaped because Vue would evaluate them.
  assert.match(html("operators/kube-apiserver/index.html"), /\{\{ \.BindAddress \}\}/);
});

test("links refer to existing pages and headings of the site", () => {
  const dead: string[] = [];
  for (const path of globSync("**/*.html", { cwd: site })) {
    const content = html(path).replace(/<pre[\s\S]*?<\/pre>/g, "");
    for (const [, link = ""] of content.matchAll(/<a [^>]*?href="([^"]+)"/g)) {
      const { pathname, origin, hash } = new URL(link, `https://site/${path}`);
      if (origin !== "https://site") continue;
      const file = pathname.endsWith("/") ? `${pathname}index.html` : pathname;
      const target = globSync(file.slice(1), { cwd: site }).length === 1 ? html(file) : "";
      const isThere =
        target !== "" && (hash === "" || target.includes(`id="${decodeURIComponent(hash.slice(1))}"`));
      if (!isThere) dead.push(`${path}: ${link}`);
    }
  }
  assert.deepEqual(dead, []);
});

test("its search finds words of documents, and an operation once", async () => {
  const [file = ""] = globSync("assets/chunks/@localSearchIndexroot.*.js", { cwd: site });
  const { default: index }: { readonly default: string } = await import(pathToFileURL(join(site, file)).href);
  const require = createRequire(join(root, ".tools/site/node_modules/vitepress/package.json"));
  const { default: MiniSearch } = await import(pathToFileURL(require.resolve("minisearch")).href);
  const options = { fields: ["title", "titles", "text"], storeFields: ["title", "titles"] };
  const search = MiniSearch.loadJSON(index, options);
  const found = (words: string): readonly string[] =>
    search.search(words, { combineWith: "AND" }).map(({ id }: { readonly id: string }) => id);
  assert.ok(
    found("lease generation journal").some((id) => id.startsWith("/design/0001-leases-and-the-journal.html")),
  );
  // The search must find the operation only in the newest version, even though other versions contain it.
  const pages = new Set(found("OpenShiftClusters_ListAdminCredentials").map((id) => id.split("#")[0]));
  const inReference = [...pages].filter((id) => id?.startsWith("/reference/"));
  assert.deepEqual(inReference, ["/reference/2025-07-25.html"]);
});

test("it loads nothing from other hosts", () => {
  for (const path of globSync("**/*.html", { cwd: site }))
    assert.doesNotMatch(
      html(path),
      /<(?:script|link|img|iframe|source)[^>]*(?:src|href)="(?:https?:)?\/\//,
      path,
    );
  for (const path of globSync("**/*.css", { cwd: site }))
    assert.doesNotMatch(html(path), /url\(["']?(?:https?:)?\/\//, path);
  for (const path of globSync("**/*.js", { cwd: site }))
    assert.doesNotMatch(
      html(path),
      /(?:import|from|fetch|importScripts)\s*\(?\s*["'`](?:https?:)?\/\//,
      path,
    );
});
