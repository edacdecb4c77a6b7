import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestPortal, type TestPortal, type UserName } from "../testing/test-portal.ts";
import type { PortalRoute } from "./portal-route.ts";

let at: TestPortal;
let url: string;
before(async () => {
  at = await startTestPortal();
  url = at.portal.url;
});
after(() => at?.[Symbol.asyncDispose]());

/** Routes that do not require a sign-in. */
const open = new Set(["GET /healthz/ready", "GET /healthz/ready/write", "GET /api/login", "GET /callback"]);
/** Routes that this test skips. Their responses never end, or they would end the sign-in of the test. */
const skipped = new Set(["GET /api/events", "POST /api/logout", "POST /api/sign-outs"]);

const pathOf = ({ path }: PortalRoute) =>
  path
    .replace("/-/{*}", "/-/ready")
    .replace("{*}", "v1/labels")
    .replace(/\{\w+\}/g, (name) => (name === "{type}" ? "kubeapicpu" : "x"));

function routes(): readonly PortalRoute[] {
  return at.portal.routes;
}

test("each route declares its callers, and all but four require a sign-in", () => {
  const declared = routes()
    .filter(({ access }) => access === "open")
    .map(({ method, path }) => `${method} ${path}`);
  assert.deepEqual(new Set(declared), open);
});

test("a route accepts only its declared callers", async () => {
  const people = await Promise.all(
    (["reader", "operator", "administrator"] as const).map(
      async (name: UserName) => [name, await at.signedIn(name)] as const,
    ),
  );
  for (const route of routes()) {
    const name = `${route.method} ${route.path}`;
    if (open.has(name) || skipped.has(name)) continue;
    const path = pathOf(route);
    const json = { "content-type": "application/json" };
    const body = route.method === "POST" ? { body: '{"master":0}' } : {};
    const call = { method: route.method, ...body };
    const nobody = await at.newBrowser().send(url, path, { ...call, headers: json });
    assert.equal(nobody.status, 307, name);
    assert.match(`${nobody.headers.location}`, /^\/api\/login\?redirect_uri=\//);
    for (const [user, { browser, csrf }] of people) {
      const headers = { ...json, "x-csrf-token": csrf };
      const { status, text } = await browser.send(url, path, { ...call, headers });
      const isElevated = route.access === "elevated" || route.path.endsWith("/ssh/new");
      const isRefused = isElevated && user !== "administrator";
      if (isRefused) assert.equal(status, 403, `${name} ${user}`);
      else assert.ok(![401, 403, 500].includes(status), `${name} ${user} ${status} ${text}`);
      if (route.method !== "GET")
        assert.equal((await browser.send(url, path, { ...call, headers: json })).status, 403, name);
    }
  }
});

test("every response has the headers that prevent foreign scripts", async () => {
  for (const path of ["/", "/api/info", "/none", "/healthz/ready"]) {
    const { headers } = await at.newBrowser().send(url, path);
    assert.equal(headers["x-content-type-options"], "nosniff", path);
    assert.match(`${headers["content-security-policy"]}`, /script-src 'self';.*frame-ancestors 'none'/);
    assert.doesNotMatch(`${headers["content-security-policy"]}`, /unsafe/);
  }
});

test("a browser at an unknown path gets a page, a script gets JSON", async () => {
  const browser = at.newBrowser();
  const page = await browser.send(url, "/none", { headers: { accept: "text/html,*/*;q=0.8" } });
  assert.deepEqual([page.status, page.headers["content-type"]], [404, "text/html; charset=utf-8"]);
  assert.match(page.text, /<h1>Page not found<\/h1>/);
  for (const accept of ["*/*", "application/json", "text/html, application/json"]) {
    const { status, headers, text } = await browser.send(url, "/none", { headers: { accept } });
    assert.deepEqual([status, headers["content-type"]], [404, "application/json"], accept);
    assert.equal(JSON.parse(text).error.code, "NotFound");
  }
});

test("ambiguous paths are unknown, and a wrong method gets the allowed ones", async () => {
  const { browser } = await at.signedIn("reader");
  for (const path of [
    "//api/info",
    "/api/../api/info",
    "/api/%2e%2e/api/info",
    "/api%2finfo",
    "/api/%zz",
    "/api/x\\y/z",
  ])
    assert.equal((await browser.send(url, path)).status, 404, path);
  const wrong = await browser.send(url, "/api/info", { method: "PUT" });
  assert.deepEqual([wrong.status, wrong.headers.allow], [405, "GET"]);
  assert.equal((await browser.send(url, "/API/Info")).status, 200);
});
