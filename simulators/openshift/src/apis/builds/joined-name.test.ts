import assert from "node:assert/strict";
import { test } from "node:test";
import { joinedName } from "./joined-name.ts";

test("a long name ends with a hash of its base and the suffix", () => {
  assert.equal(joinedName("app-1", "build"), "app-1-build");
  assert.equal(joinedName("a".repeat(247), "build"), `${"a".repeat(247)}-build`);
  const long = joinedName("a".repeat(250), "build");
  assert.equal(long.length, 253);
  // FNV-1a hash of the base, with 32 bits.
  assert.equal(long, `${"a".repeat(238)}-15da3d4f-build`);
  assert.notEqual(joinedName(`${"a".repeat(249)}b`, "build"), long);
});
