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

test("the document has no inline script or style, which the policy would reject", () => {
  assert.doesNotMatch(page, /<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/i);
  assert.doesNotMatch(contentSecurityPolicy, /unsafe/);
});

test("file names are in lower case, because a path may be compared in lower case", () => {
  for (const name of readdirSync(new URL("assets/", pagesDirectory))) assert.match(name, /^[a-z0-9.-]+$/);
});
