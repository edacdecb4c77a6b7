import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@keelson/base/testing";
import fc from "fast-check";
import { TerminalRecording } from "./terminal-recording.ts";

const limit = 512 * 1_024;
const linesOf = (recording: TerminalRecording) =>
  recording
    .text()
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

test("a recording is an asciicast: a header, then output and sizes with the seconds since the beginning", async () => {
  const clock = new ManualClock(new Date("2026-11-27T01:00:00Z"));
  const recording = new TerminalRecording({ width: 80, height: 24, command: "oc get nodes" }, clock);
  await clock.advance(1_500);
  recording.output(Buffer.from("a\r\n"));
  await clock.advance(250);
  recording.resized(100, 30);
  assert.deepEqual(linesOf(recording), [
    { version: 2, width: 80, height: 24, timestamp: 1_795_741_200, command: "oc get nodes" },
    [1.5, "o", "a\r\n"],
    [1.75, "r", "100x30"],
  ]);
  assert.equal(recording.truncated, false);
});

test("the output is complete for every split of the bytes", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.array(fc.nat(20)), (shown, cuts) => {
      const recording = new TerminalRecording({ width: 80, height: 24 }, new ManualClock());
      let rest = Buffer.from(shown);
      for (const cut of cuts) {
        recording.output(rest.subarray(0, cut));
        rest = rest.subarray(cut);
      }
      recording.output(rest);
      const [, ...events] = linesOf(recording);
      assert.equal(events.map(([, , data]) => data).join(""), shown);
    }),
  );
});

test("bytes that are not UTF-8 are stored safely", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 64 })), (chunks) => {
      const recording = new TerminalRecording({ width: 80, height: 24 }, new ManualClock());
      for (const chunk of chunks) recording.output(Buffer.from(chunk));
      for (const [, kind, data] of linesOf(recording).slice(1))
        assert.deepEqual([kind, typeof data], ["o", "string"]);
    }),
  );
});

test("a recording never exceeds its limit, and a truncated one is marked and readable", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 60_000 }), { minLength: 20, maxLength: 60 }), (sizes) => {
      const recording = new TerminalRecording({ width: 80, height: 24 }, new ManualClock());
      // JSON needs six characters for each of these bytes.
      for (const size of sizes) recording.output(Buffer.alloc(size, 1));
      const text = recording.text();
      assert.ok(text.length <= limit + 1, `${text.length}`);
      const total = sizes.reduce((sum, size) => sum + 6 * size, 0);
      if (total > limit) assert.equal(recording.truncated, true);
      const kept = linesOf(recording).length - 1;
      assert.ok(kept <= sizes.length);
      assert.equal(recording.truncated, kept < sizes.length);
    }),
    { numRuns: 20 },
  );
});

test("nothing is stored after the limit, so that a recording has no gap", () => {
  const recording = new TerminalRecording({ width: 80, height: 24 }, new ManualClock());
  recording.output(Buffer.alloc(limit, "x"));
  recording.output(Buffer.from("later"));
  recording.resized(1, 1);
  assert.deepEqual([recording.truncated, linesOf(recording).length], [true, 1]);
});
