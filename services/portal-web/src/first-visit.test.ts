import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { contentSecurityPolicy, pagesDirectory } from "./index.ts";

const page = readFileSync(new URL("index.html", pagesDirectory), "utf8");
const budget = 200_000;

/** Files that the browser loads before it displays the list of clusters. */
const loaded = [...page.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = ""]) => path);

test("a first visit loads less than 200 kB", () => {
  const sizes = loaded.map((path) => gzipSync(readFileSync(new URL(`.${path}`, pagesDirectory))).length);
  const total = sizes.reduce((sum, size) => sum + size, gzipSync(page).length);
  assert.ok(loaded.length >= 2);
  assert.ok(total < budget, `${total} bytes: ${loaded.join(", ")}`);
});

/** Maximum size in bytes of the code that a page loads on demand, for example charts and the terminal player. */
const onDemandBudget = 250_000;

/** Returns a script, and all scripts that it imports statically, directly or indirectly. */
function withImports(path: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(path)) return found;
  found.add(path);
  const code = readFileSync(new URL(`.${path}`, pagesDirectory), "utf8");
  for (const [, name] of code.matchAll(
    /(?:^|[;\n}])(?:import|export)(?:[^"'();]*from)?\s*["']\.\/([^"']+\.js)["']/g,
  ))
    withImports(`/assets/${name}`, found);
  return found;
}

const scripts = readdirSync(new URL("assets/", pagesDirectory))
  .filter((name) => name.endsWith(".js"))
  .map((name) => `/assets/${name}`);
const loadedScripts = new Set(
  loaded.filter((path) => path.endsWith(".js")).flatMap((path) => [...withImports(path)]),
);

test("charts, the terminal player and the pages of a cluster are not part of the first visit", () => {
  for (const name of ["line-chart", "recording-dialog", "prometheus-tab", "pods-tab", "actions-tab"]) {
    const found = scripts.find((path) => path.startsWith(`/assets/${name}-`));
    assert.ok(found, `no script ${name}: update this list`);
    assert.ok(!loadedScripts.has(found), name);
  }
});

test("code that is loaded on demand has at most 250 kB gzipped, including its imports", () => {
  const onDemand = scripts.filter((path) => !loadedScripts.has(path));
  assert.ok(onDemand.length > 10);
  for (const path of onDemand) {
    const files = [...withImports(path)].filter((each) => !loadedScripts.has(each));
    const size = files.reduce(
      (sum, each) => sum + gzipSync(readFileSync(new URL(`.${each}`, pagesDirectory))).length,
      0,
    );
    assert.ok(size <= onDemandBudget, `${path}: ${size} bytes in ${files.join(", ")}`);
  }
});

test("the document has no inline script or style, which the policy would reject", () => {
  assert.doesNotMatch(page, /<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/i);
  assert.doesNotMatch(contentSecurityPolicy, /unsafe/);
});

test("file names are in lower case, because a path may be compared in lower case", () => {
  for (const name of readdirSync(new URL("assets/", pagesDirectory))) assert.match(name, /^[a-z0-9.-]+$/);
});
