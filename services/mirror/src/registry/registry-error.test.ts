import assert from "node:assert/strict";
import { test } from "node:test";
import { errorText, RegistryError } from "./registry-error.ts";

test("a registry's message is one bounded line", () => {
  assert.equal(
    errorText('{"errors":[{"code":"DENIED","message":"no"},{"code":"UNKNOWN","detail":{"Err":28}}]}'),
    "DENIED: no; UNKNOWN: no space left on device",
  );
  assert.equal(errorText("<html>\n  busy </html>"), "<html> busy </html>");
  assert.equal(errorText("x".repeat(1_000)).length, 200);
});

test("408, 429 and 5xx are temporary, other statuses are permanent", () => {
  const retry = (status: number) => new RegistryError(status, "").retry;
  assert.deepEqual([0, 408, 429, 500, 503].map(retry), Array(5).fill("backoff"));
  assert.deepEqual([400, 401, 403, 404, 416].map(retry), Array(5).fill("never"));
});
