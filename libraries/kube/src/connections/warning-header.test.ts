import assert from "node:assert/strict";
import { test } from "node:test";
import { warningsIn } from "./warning-header.ts";

const rows: readonly (readonly [header: string | readonly string[] | undefined, texts: readonly string[]])[] =
  [
    [undefined, []],
    ['299 - "one"', ["one"]],
    ['299 - "one", 299 - "two, with a comma"', ["one", "two, with a comma"]],
    [
      ['299 - "one"', '299 - "two"'],
      ["one", "two"],
    ],
    [String.raw`299 - "level \"restricted:latest\" and \\"`, ['level "restricted:latest" and \\']],
    ['299 server:6443 "dated" "Sun, 01 Jan 2026 00:00:00 GMT"', ["dated"]],
    ['199 - "different code"', []],
    ["no warning at all", []],
  ];
for (const [header, texts] of rows)
  test(`${JSON.stringify(header)} says ${JSON.stringify(texts)}`, () =>
    assert.deepEqual(warningsIn(header), texts));
