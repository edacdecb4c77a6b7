import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { PosixPattern } from "./posix-pattern.ts";

function first(source: string, text: string, extended: boolean): string | undefined {
  for (const [start, end] of new PosixPattern(source, { extended }).matches(text))
    return text.slice(start, end);
  return undefined;
}

type Case = readonly [source: string, text: string, found: string | undefined];

const basic: readonly Case[] = [
  ["b", "abc", "b"],
  ["a+", "aa+", "a+"],
  ["a\\+", "aa+", "aa"],
  ["\\(a\\)\\(b\\)*", "ac", "a"],
  ["a|b", "a|b", "a|b"],
  ["x\\|b", "ab", "b"],
  ["*a", "b*a", "*a"],
  ["\\(*a\\)", "*a", "*a"],
  ["^ab", "xab", undefined],
  ["a^b", "a^b", "a^b"],
  ["a$b", "a$b", "a$b"],
  ["\\(b$\\)", "ab", "b"],
  ["a\\{2,3\\}", "aaaa", "aaa"],
  ["a{2}", "aa{2}", "a{2}"],
  ["[]x]*", "]x]y", "]x]"],
  ["[^]x]", "]xy", "y"],
  ["[\\.]", "a\\", "\\"],
  ["[[:digit:]a-c]*", "1b2z", "1b2"],
  ["a\\.b", "axb a.b", "a.b"],
  ["\\<w", "ow w", "w"],
];
const extended: readonly Case[] = [
  ["(a|ab)(c|bcd)(d*)", "abcd", "abcd"],
  ["xyz|xyzt", "xyzt", "xyzt"],
  ["a{2}", "baaa", "aa"],
  ["a{x", "a{x", "a{x"],
  ["a)", "a)", "a)"],
  ["a\\+", "a+", "a+"],
  ["a+*", "aaa", "aaa"],
  ["(^a|b$)", "cb", "b"],
  ["\\$[0-9.]+", "costs $1.5", "$1.5"],
  ["[a\\]]+", "]a]", "]a]"],
];
for (const [kind, cases] of [
  ["basic", basic],
  ["extended", extended],
] as const)
  for (const [source, text, found] of cases)
    test(`the ${kind} expression ${source} in ${text}`, () =>
      assert.equal(first(source, text, kind === "extended"), found));

test("cases are ignored where that is asked for", () =>
  assert.equal(new PosixPattern("ABC", { extended: false, ignoreCase: true }).test("xabcx"), true));

test("no empty match directly follows another match", () => {
  const found = [...new PosixPattern("a*", { extended: true }).matches("baac")];
  assert.deepEqual(found, [
    [0, 0],
    [1, 3],
    [4, 4],
  ]);
});

for (const [source, message] of [
  ["\\(a\\)\\1", /back-references are not supported/],
  ["[a", /unmatched \[/],
  ["a\\", /trailing backslash/],
  ["\\(a", /not a regular expression/],
  ["a".repeat(10_001), /too long/],
] as const)
  test(`the expression ${source.slice(0, 10)} is rejected`, () =>
    assert.throws(() => new PosixPattern(source, { extended: false }), message));

test("a string with all special characters quoted matches itself in both syntaxes", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 30 }), (text) => {
      const basicSource = text.replace(/[\\^$.*[\]]/g, "\\$&");
      const extendedSource = text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
      assert.equal(first(basicSource, text, false), text);
      assert.equal(first(extendedSource, text, true), text);
    }),
  );
});
