import assert from "node:assert/strict";
import { test } from "node:test";
import { opensSearch } from "./shortcut.ts";

const plain = { ctrlKey: false, metaKey: false, altKey: false };
for (const [name, key, isTyping, expected] of [
  ["/", { ...plain, key: "/" }, false, true],
  ["/ in a field", { ...plain, key: "/" }, true, false],
  ["k", { ...plain, key: "k" }, false, false],
  ["Ctrl+K in a field", { ...plain, key: "k", ctrlKey: true }, true, true],
  ["Command+K", { ...plain, key: "K", metaKey: true }, false, true],
  ["Ctrl+Alt+K", { ...plain, key: "k", ctrlKey: true, altKey: true }, false, false],
  ["Ctrl+/", { ...plain, key: "/", ctrlKey: true }, false, false],
] as const)
  test(`${name} ${expected ? "opens" : "does not open"} the quick search`, () => {
    assert.equal(opensSearch(key, isTyping), expected);
  });
