import assert from "node:assert/strict";
import { test } from "node:test";
import { checkPoints, durationSeconds } from "./query-points.ts";

const range = (start: string, end: string, step: string) =>
  `?${new URLSearchParams({ query: "up", start, end, step })}`;

for (const [title, search] of [
  ["11,000 points", range("0", "10999", "1")],
  ["an instant", range("5", "5", "1s")],
  ["invalid parameters", range("x", "10", "1s")],
  ["an end before the start", range("10", "5", "1ms")],
  ["a step of zero", range("0", "10", "0")],
  ["no parameters", ""],
] as const)
  test(`a range query with ${title} is forwarded`, () => {
    assert.doesNotThrow(() => checkPoints("api/v1/query_range", search));
  });

for (const [title, search] of [
  ["11,001 points", range("0", "11000", "1")],
  ["points of milliseconds", range("0", "100", "1ms")],
  ["times in RFC 3339", range("2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z", "1m")],
  ["a year of seconds", range("1700000000.5", "1731536000.5", "15")],
] as const)
  test(`a range query with ${title} is rejected`, () => {
    assert.throws(() => checkPoints("api/v1/query_range", search), {
      code: "BadRequest",
      message: /points per series\. At most 11000 are allowed/,
    });
  });

test("only range queries have points", () => {
  assert.doesNotThrow(() => checkPoints("api/v1/query", range("0", "11000", "1")));
});

test("durations are numbers or have units", () => {
  for (const [text, expected] of [
    ["15", 15],
    ["1.5", 1.5],
    ["1m30s", 90],
    ["1d2h", 93_600],
    ["250ms", 0.25],
  ] as const)
    assert.equal(durationSeconds(text), expected, text);
  for (const text of ["", "s", "1x", "-1", "1s1m", "0x10", "1e9"])
    assert.ok(Number.isNaN(durationSeconds(text)), text);
});
