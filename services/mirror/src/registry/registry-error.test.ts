import assert from "node:assert/strict";
import { test } from "node:test";
import { errorText, RegistryError, retryAfterMs } from "./registry-error.ts";

test("Retry-After is read as seconds and as a date, within five minutes", () => {
  const now = new Date("2026-01-01T00:00:00Z");
  assert.equal(retryAfterMs("7", now), 7_000);
  assert.equal(retryAfterMs("Thu, 01 Jan 2026 00:00:09 GMT", now), 9_000);
  assert.equal(retryAfterMs("Wed, 31 Dec 2025 00:00:00 GMT", now), 0);
  assert.equal(retryAfterMs("999999999", now), 300_000);
  assert.equal(retryAfterMs("soon", now), undefined);
  assert.equal(retryAfterMs(undefined, now), undefined);
});

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
