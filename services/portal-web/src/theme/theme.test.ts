import assert from "node:assert/strict";
import { test } from "node:test";
import { isDark, parseTheme } from "./theme.ts";

test("the system decides until a person does", () => {
  assert.equal(parseTheme(null), "system");
  assert.equal(parseTheme("purple"), "system");
  assert.equal(isDark("system", true), true);
  assert.equal(isDark("system", false), false);
  assert.equal(isDark(parseTheme("light"), true), false);
  assert.equal(isDark(parseTheme("dark"), false), true);
});
