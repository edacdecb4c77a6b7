import assert from "node:assert/strict";
import { test } from "node:test";
import { mayRedirect, signInPath } from "./sign-in.ts";

test("a sign-in returns to the page and its selections", () => {
  assert.equal(
    signInPath("/subscriptions/a?duration=1h&end=x"),
    "/api/login?redirect_uri=%2Fsubscriptions%2Fa%3Fduration%3D1h%26end%3Dx",
  );
});

test("the first redirection is free, a second one within ten seconds is not", () => {
  assert.equal(mayRedirect(null, 1_000), true);
  assert.equal(mayRedirect("1000", 5_000), false);
  assert.equal(mayRedirect("1000", 11_000), true);
  assert.equal(mayRedirect("not a number", 5_000), true);
});
