import assert from "node:assert/strict";
import { test } from "node:test";
import { exactJson } from "@keelson/base";
import fc from "fast-check";
import { atOnce } from "../turns/phases.ts";
import { writeJson } from "./write-json.ts";

test("JSON in parts equals JSON written in one step", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.equal(atOnce(writeJson(value)).toString(), exactJson(value));
    }),
  );
  const value = { a: undefined, b: { c: 2n ** 60n, d: [undefined, {}] }, "\u2028": "\ud800" };
  assert.equal(atOnce(writeJson(value)).toString(), Buffer.from(exactJson(value)).toString());
});

test("long lists and wide objects are written correctly", () => {
  const list = Array.from({ length: 1_500 }, (_, at) => (at % 3 === 0 ? undefined : { at }));
  const wide = Object.fromEntries(
    list.flatMap((each, at) => Array.from({ length: 6 }, (_, of) => [`${at}.${of}`, each])),
  );
  for (const value of [list, { list }, wide, [[], {}, [undefined]]]) {
    assert.equal(atOnce(writeJson(value)).toString(), exactJson(value));
  }
});

test("a megabyte of properties is written in parts", () => {
  const value = {
    members: Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`m${at}`, "x".repeat(200)])),
  };
  const phases = writeJson(value);
  let parts = 1;
  for (; !phases.next().done; ) parts++;
  assert.ok(parts >= 8, `${parts} parts`);
});
