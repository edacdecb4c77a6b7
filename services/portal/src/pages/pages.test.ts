import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { silentLogger } from "@keelson/base";
import type { PortalContext, PortalResponse } from "../http/portal-route.ts";
import { RouteTable } from "../http/route-table.ts";
import { readAssets } from "./assets.ts";
import { pageRoutes } from "./page-routes.ts";

const directory = mkdtempSync(join(tmpdir(), "pages-"));
const script = "console.log(1);".repeat(100);
const cluster = "/subscriptions/s/resourceGroups/g/providers/Microsoft.RedHatOpenShift/openShiftClusters/c";

before(() => {
  mkdirSync(join(directory, "assets"));
  writeFileSync(join(directory, "index.html"), "<!doctype html><title>Portal</title>");
  writeFileSync(join(directory, "assets", "index-Ab12Cd34.js"), script);
  writeFileSync(join(directory, "assets", "index-Ab12Cd34.js.map"), "{}");
  writeFileSync(join(directory, "favicon.svg"), "<svg/>");
});
after(() => rmSync(directory, { recursive: true }));

async function ask(path: string, headers: Readonly<Record<string, string>> = {}) {
  const found = new RouteTable(pageRoutes(await readAssets(directory))).find("GET", path);
  if (!found || !("route" in found)) return undefined;
  const context: PortalContext = {
    method: "GET",
    url: new URL(path, "https://portal.example"),
    parameter: () => "",
    header: (name) => headers[name],
    json: () => Promise.reject(new Error("no body")),
    login: () => {
      throw new Error("no one");
    },
    audit: () => undefined,
    logger: silentLogger,
    signal: AbortSignal.timeout(900_000),
  };
  const response: PortalResponse = await found.route.handle(context);
  return { ...response, access: found.route.access };
}

test("signed-in people receive the page with the router at each path of a cluster", async () => {
  for (const path of [
    "/",
    "/alerts",
    "/sessions",
    cluster,
    `${cluster}/nodes`,
    `${cluster}/prometheus/`,
    `${cluster}/a/b/c`,
  ]) {
    const response = await ask(path);
    assert.deepEqual([response?.access, response?.headers?.["cache-control"]], [undefined, "no-cache"], path);
  }
  assert.equal(await ask("/other"), undefined);
});

test("files with a hash in their names are cached, and unchanged files are not sent again", async () => {
  const response = await ask("/assets/index-Ab12Cd34.js", { "accept-encoding": "gzip, br" });
  assert.equal(response?.headers?.["cache-control"], "public, max-age=31536000, immutable");
  assert.equal(gunzipSync(response?.bytes ?? Buffer.alloc(0)).toString(), script);
  assert.equal(Buffer.from((await ask("/assets/index-Ab12Cd34.js"))?.bytes ?? []).toString(), script);
  const legacy = await ask("/favicon.ico");
  assert.deepEqual(
    [legacy?.access, legacy?.status, legacy?.headers?.location],
    ["open", 308, "/favicon.svg"],
  );
  const icon = await ask("/favicon.svg");
  assert.equal(icon?.headers?.["cache-control"], "no-cache");
  const etag = `${icon?.headers?.etag}`;
  assert.equal((await ask("/favicon.svg", { "if-none-match": `"x", W/${etag}` }))?.status, 304);
});

test("files of other kinds are not served, and a page explains how to build missing pages", async () => {
  assert.equal(await ask("/assets/index-Ab12Cd34.js.map"), undefined);
  assert.equal(await readAssets(join(directory, "none")), undefined);
  const found = new RouteTable(pageRoutes(undefined)).find("GET", "/");
  assert.ok(found && "route" in found);
});
