import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { Assets } from "../http/assets.ts";
import type { RouteContext } from "../http/route.ts";
import { pageTitles } from "../pages/shell/page-titles.ts";
import { pagePaths, pageRoutes } from "./pages.ts";

async function get(
  directory: string,
  path: string,
  file: string,
  headers: Readonly<Record<string, string>> = {},
) {
  const route = pageRoutes(new Assets(directory)).find((each) => each.path === path);
  const context: RouteContext = {
    parameter: () => file,
    query: new URLSearchParams(),
    header: (name) => headers[name],
    json: () => Promise.reject(new Error("no body")),
    session: () => assert.fail("no session"),
    signal: new AbortController().signal,
  };
  return route?.handle(context);
}

test("every page has a path that a browser can load", () => {
  for (const path of Object.keys(pageTitles)) assert.ok(pagePaths.includes(path), path);
});

test("files are served compressed with long-lived caching by hashed names, and only files of the pages", async (t) => {
  const directory = mkdtempSync(join(tmpdir(), "console-pages-"));
  t.after(() => rmSync(directory, { recursive: true }));
  const missing = await get(directory, "/", "");
  assert.match(Buffer.from(missing?.bytes ?? []).toString(), /pages are not built/);
  const script = "console.log(1);".repeat(100);
  mkdirSync(join(directory, "assets"));
  writeFileSync(join(directory, "index.html"), "<!doctype html>");
  writeFileSync(join(directory, "assets", "index-0a1b.js"), script);
  writeFileSync(join(directory, "assets", "index-0a1b.js.map"), "{}");
  const page = await get(directory, "/faults", "");
  assert.deepEqual([page?.headers?.["cache-control"], `${page?.bytes}`], ["no-cache", "<!doctype html>"]);
  const plain = await get(directory, "/assets/{file}", "index-0a1b.js");
  assert.equal(`${plain?.bytes}`, script);
  assert.match(plain?.headers?.["cache-control"] ?? "", /immutable/);
  const small = await get(directory, "/assets/{file}", "index-0a1b.js", { "accept-encoding": "gzip" });
  assert.equal(`${gunzipSync(small?.bytes ?? "")}`, script);
  const etag = plain?.headers?.etag ?? "";
  assert.equal(
    (await get(directory, "/assets/{file}", "index-0a1b.js", { "if-none-match": etag }))?.status,
    304,
  );
  for (const file of ["index-0a1b.js.map", "../index.html", "none.js"])
    await assert.rejects(get(directory, "/assets/{file}", file), /nothing at this path/);
});
