import assert from "node:assert/strict";
import { test } from "node:test";
import { retryAfterMs } from "./retry-after.ts";

test("Retry-After is read as seconds and as a date, within five minutes", () => {
  const now = new Date("2026-01-01T00:00:00Z");
  assert.equal(retryAfterMs("7", now), 7_000);
  assert.equal(retryAfterMs("Thu, 01 Jan 2026 00:00:09 GMT", now), 9_000);
  assert.equal(retryAfterMs("Wed, 31 Dec 2025 00:00:00 GMT", now), 0);
  assert.equal(retryAfterMs("999999999", now), 300_000);
  assert.equal(retryAfterMs("soon", now), undefined);
  assert.equal(retryAfterMs(undefined, now), undefined);
});
