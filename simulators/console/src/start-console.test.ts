import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { systemClock } from "@keelson/base";
import { OneTimeLinks } from "./access/one-time-links.ts";
import { Sessions } from "./access/sessions.ts";
import { consoleRoutes } from "./console-routes.ts";
import { exampleFacts, exampleWorld } from "./testing/example-world.ts";
import type { TestBrowser } from "./testing/test-browser.ts";
import { startTestConsole, type TestConsole } from "./testing/test-console.ts";

let at: TestConsole;
let browser: TestBrowser;
before(async () => {
  at = await startTestConsole();
  browser = await at.signedIn();
});
after(async () => {
  browser?.[Symbol.dispose]();
  await at?.[Symbol.asyncDispose]();
});

test("a link signs one browser in once with a cookie that scripts and other sites do not get", async () => {
  const link = await at.newLink();
  assert.match(link, new RegExp(`^${at.url}/open#[\\w-]{43}$`));
  using first = at.newBrowser();
  const token = link.slice(link.indexOf("#") + 1);
  const signIn = await first.send("/api/sign-in", { method: "POST", body: { token } });
  assert.equal(signIn.status, 204);
  const [cookie = ""] = signIn.headers["set-cookie"] ?? [];
  assert.match(cookie, /^__Host-keelson-console-\d+=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict$/);
  assert.equal((await first.send("/api/info")).status, 200);
  using second = at.newBrowser();
  assert.equal(await second.open(link), 401);
  assert.equal((await second.send("/api/info")).status, 401);
});

test("a sign-in from a page of a different site is refused and leaves the link valid", async () => {
  const link = await at.newLink();
  const body = { token: link.slice(link.indexOf("#") + 1) };
  using foreign = at.newBrowser();
  const headers = { origin: "https://evil.example" };
  assert.equal((await foreign.send("/api/sign-in", { method: "POST", body, headers })).status, 403);
  assert.equal(await foreign.open(link), 204);
});

test("a sign-out ends the session", async () => {
  using other = await at.signedIn();
  assert.equal((await other.send("/api/sign-out", { method: "POST" })).status, 204);
  assert.equal((await other.send("/api/info")).status, 401);
});

test("links need the token of the simulated world", async () => {
  for (const authorization of [undefined, "Bearer x"])
    assert.equal(
      (await browser.send("/api/links", { method: "POST", headers: { authorization } })).status,
      401,
    );
});

const routes = consoleRoutes({
  facts: exampleFacts,
  connect: async () => exampleWorld(),
  links: new OneTimeLinks(systemClock),
  sessions: new Sessions(systemClock),
  port: 1,
});

for (const { method, path } of routes.filter((each) => each.access === undefined))
  test(`${method} ${path} refuses a client without a session${method === "GET" ? "" : ", a foreign page and a missing token"}`, async () => {
    const target = path.replace(/\{\w+\}/g, "x");
    const call = { method, ...(method === "POST" ? { body: {} } : {}) };
    using stranger = at.newBrowser();
    assert.equal((await stranger.send(target, call)).status, 401);
    if (method === "GET") return;
    for (const headers of [
      { origin: "https://evil.example" },
      { origin: undefined },
      { "x-csrf-token": "x" },
    ])
      assert.equal((await browser.send(target, { ...call, headers })).status, 403);
    assert.deepEqual(at.world.calls, []);
  });

test("every response has the headers that keep other sites and inline scripts out", async () => {
  for (const path of ["/", "/requests", "/api/info", "/none", "/favicon.svg"]) {
    const { headers } = await browser.send(path);
    assert.equal(headers["x-content-type-options"], "nosniff", path);
    assert.equal(headers["x-frame-options"], "DENY", path);
    assert.match(`${headers["content-security-policy"]}`, /default-src 'none'; script-src 'self';/, path);
    assert.doesNotMatch(`${headers["content-security-policy"]}`, /unsafe/);
  }
});

test("a request by a different host name is refused, also for a page", async () => {
  for (const host of ["evil.example", "localhost:1", `evil.example:${new URL(at.url).port}`])
    for (const path of ["/", "/api/info"])
      assert.equal((await browser.send(path, { headers: { host } })).status, 403, `${host} ${path}`);
});

test("paths that servers read differently, other methods and other content types are refused", async () => {
  for (const path of [
    "/api//info",
    "/api/%2e%2e/info",
    "/api%2finfo",
    "/api/%zz",
    "/none",
    `/${"x".repeat(5_000)}`,
  ])
    assert.equal((await browser.send(path)).status, 404, path);
  assert.equal((await browser.send("/api/info", { method: "DELETE" })).status, 405);
  const clock = (headers: Readonly<Record<string, string>>, body: unknown) =>
    browser.send("/api/clock", { method: "POST", headers, body });
  assert.equal((await clock({ "content-type": "text/plain" }, '{"advanceMs":1}')).status, 415);
  assert.equal((await clock({}, "{")).status, 400);
  assert.equal((await clock({}, "[]")).status, 400);
  assert.equal((await clock({}, `"${"x".repeat(70_000)}"`)).status, 413);
});

test("the world is connected once, with the first request that needs it", async () => {
  await using fresh = await startTestConsole();
  using other = await fresh.signedIn();
  await other.send("/");
  assert.equal(fresh.connections, 0);
  await Promise.all([other.send("/api/clock"), other.send("/api/faults")]);
  assert.equal(fresh.connections, 1);
});
