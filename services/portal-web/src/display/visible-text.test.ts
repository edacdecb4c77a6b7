import assert from "node:assert/strict";
import { test } from "node:test";
import { visibleText } from "./visible-text.ts";

for (const [name, text, shown] of [
  ["letters, tabs and lines", "a\tb\nc ü 漢 😀", "a\tb\nc ü 漢 😀"],
  ["escape sequences", "\u001b[2J\u0007", "␛[2J␇"],
  ["carriage returns and null", "a\rb\u0000", "a␍b␀"],
  ["delete and C1 controls", "\u007f\u009b", "␡⟨U+009B⟩"],
  ["changes of direction", "a\u202eb\u2066", "a⟨U+202E⟩b⟨U+2066⟩"],
  ["zero width characters", "a\u200b\ufeff", "a⟨U+200B⟩⟨U+FEFF⟩"],
] as const)
  test(`${name} are shown`, () => assert.equal(visibleText(text), shown));
