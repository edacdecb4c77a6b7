import assert from "node:assert/strict";
import { test } from "node:test";
import { ruleFileNames, shorten, shortenedRules } from "./shortened-rules.ts";

test("only the waiting times of the shipped alerts are divided", () => {
  for (const name of ruleFileNames) {
    const [full, short] = [shortenedRules(name, 1), shortenedRules(name, 30)];
    assert.ok(full.longestSeconds >= 3_600, name);
    assert.equal(short.longestSeconds, full.longestSeconds / 30);
    const waits = /^ +for: .*\n/gm;
    assert.equal(short.text.match(waits)?.length, full.text.match(waits)?.length);
    assert.equal(short.text.replaceAll(waits, ""), full.text.replaceAll(waits, ""));
  }
});

test("a waiting time in minutes becomes milliseconds, and other forms are an error", () => {
  const rule = (duration: string) =>
    `      - alert: A\n        expr: rate(x[5m]) > 1\n        for: ${duration}\n`;
  assert.deepEqual(shorten(rule("5m"), 40), { text: rule("7500ms"), longestSeconds: 7.5 });
  assert.throws(() => shorten(rule("1h"), 40), /waiting time 1h/);
});
