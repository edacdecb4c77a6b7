import assert from "node:assert/strict";
import { test } from "node:test";
import { cookieIn } from "./cookies.ts";
import { isOwnHost, refusalOfChange } from "./same-origin.ts";

for (const [host, isOwn] of [
  ["localhost:8448", true],
  ["127.0.0.1:8448", true],
  ["localhost:8445", false],
  ["localhost", false],
  ["evil.example:8448", false],
  ["localhost.evil.example:8448", false],
  ["0.0.0.0:8448", false],
  ["LOCALHOST:8448", false],
  [undefined, false],
] as const)
  test(`Host ${host} is ${isOwn ? "accepted" : "refused"} by the console at port 8448`, () => {
    assert.equal(isOwnHost(host, 8448), isOwn);
  });

const own = { origin: "https://localhost:8448", "x-csrf-token": "token" };

const changes: readonly (readonly [
  title: string,
  headers: Readonly<Record<string, string>>,
  refusal?: RegExp,
])[] = [
  ["of a page of the console", own],
  ["of a page of the console with Fetch Metadata", { ...own, "sec-fetch-site": "same-origin" }],
  ["without Origin", { "x-csrf-token": "token" }, /Origin is missing/],
  ["of a page of the portal", { ...own, origin: "https://localhost:8445" }, /different site/],
  ["over HTTP", { ...own, origin: "http://localhost:8448" }, /different site/],
  ["of a sandboxed page", { ...own, origin: "null" }, /different site/],
  ["of the other name of this machine", { ...own, origin: "https://127.0.0.1:8448" }, /different site/],
  ["that a browser marks as foreign", { ...own, "sec-fetch-site": "same-site" }, /different site/],
  ["without a token", { origin: own.origin }, /X-CSRF-Token is missing/],
  ["with the token of a different session", { ...own, "x-csrf-token": "tokem" }, /different sign-in/],
];

for (const [title, headers, refusal] of changes)
  test(`a change ${title} is ${refusal ? "refused" : "accepted"}`, () => {
    const found = refusalOfChange((name) => headers[name], "localhost:8448", "token");
    if (refusal) assert.match(found ?? "", refusal);
    else assert.equal(found, undefined);
  });

test("a cookie that is sent twice or in a long header is ignored", () => {
  assert.equal(cookieIn("a=1; __Host-c=2", "__Host-c"), "2");
  assert.equal(cookieIn("__Host-c=2; __Host-c=3", "__Host-c"), undefined);
  assert.equal(cookieIn(`__Host-c=2; a=${"x".repeat(9_000)}`, "__Host-c"), undefined);
  assert.equal(cookieIn(undefined, "__Host-c"), undefined);
});
