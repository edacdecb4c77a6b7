import assert from "node:assert/strict";
import { test } from "node:test";
import { RequestLog } from "./request-log.ts";

const summary = { at: "", method: "GET", host: "h", path: "/", service: "arm", durationMs: 1 };

function logged(count: number, text = ""): RequestLog {
  const log = new RequestLog();
  const detail = { requestHeaders: {}, responseHeaders: {}, responseBody: { text } };
  for (let at = 0; at < count; at++) log.add(summary, detail);
  return log;
}

test("the log has the newest 2,000 requests", () => {
  const log = logged(2_003);
  const all = log.since(0);
  assert.deepEqual([all.length, all[0]?.sequence, all.at(-1)?.sequence], [2_000, 4, 2_003]);
  assert.equal(log.find(3), undefined);
  assert.equal(log.find(4)?.sequence, 4);
  assert.deepEqual(
    log.since(2_001).map(({ sequence }) => sequence),
    [2_002, 2_003],
  );
});

for (const [character, count] of [
  ["x", 600],
  ["ä", 300],
  ["\u0000", 100],
  ['"', 300],
] as const)
  test(`the log has at most 16 MiB of bodies of ${JSON.stringify(character)}`, () => {
    const body = character.repeat(32_768);
    const log = logged(count, body);
    assert.ok(log.bytes <= 16 * 1_024 * 1_024, `${log.bytes} bytes`);
    assert.ok(log.bytes > 15 * 1_024 * 1_024, `${log.bytes} bytes`);
    assert.equal(log.find(count)?.responseBody?.text, body);
    assert.ok(log.since(0).length < count);
  });

test("a removed request no longer counts", () => {
  const log = logged(600, "x".repeat(32_768));
  for (let at = 0; at < 2_000; at++) log.add(summary, { requestHeaders: {}, responseHeaders: {} });
  assert.ok(log.bytes < 2_000_000, `${log.bytes} bytes`);
});
