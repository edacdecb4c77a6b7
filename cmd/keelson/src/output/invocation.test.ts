import assert from "node:assert/strict";
import { test } from "node:test";
import { asInvoked } from "./invocation.ts";

for (const [text, expected] of [
  ['stop it with "keelson down --state x"', 'stop it with "./keelson down --state x"'],
  ["start it with `keelson up`", "start it with `./keelson up`"],
  ["Usage: keelson up [options]", "Usage: ./keelson up [options]"],
  ["Examples:\n  keelson status\n  keelson up", "Examples:\n  ./keelson status\n  ./keelson up"],
  ['eval "$(keelson az-env)"', 'eval "$(./keelson az-env)"'],
  ["keelson: no such file", "keelson: no such file"],
  ["the database of keelson is locked", "the database of keelson is locked"],
  ["log /var/keelson keelson.log", "log /var/keelson keelson.log"],
] as const)
  test(`the commands in ${JSON.stringify(text)} start as the program was started`, () => {
    assert.equal(asInvoked(text, "./keelson"), expected);
  });

test("without the launcher nothing changes", () => {
  assert.equal(asInvoked('run "keelson up"'), 'run "keelson up"');
});
