import assert from "node:assert/strict";
import { test } from "node:test";
import { unverifiedClaims } from "./unverified-claims.ts";

const encode = (text: string) => Buffer.from(text).toString("base64url");

for (const [name, token, expected] of [
  ["a token", `h.${encode('{"oid":"a"}')}.s`, { oid: "a" }],
  ["a token without signature", `h.${encode("{}")}`, {}],
  ["a list", `h.${encode("[]")}.s`, undefined],
  ["invalid JSON", `h.${encode("{")}.s`, undefined],
  ["one segment", "secret", undefined],
  ["an empty string", "", undefined],
] as const)
  test(`unverifiedClaims of ${name} are ${JSON.stringify(expected)}`, () =>
    assert.deepEqual(unverifiedClaims(token), expected));
