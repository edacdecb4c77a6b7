import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { isCoded } from "@keelson/base";
import { choosePace, type Pace, paceText, parsePace, rememberedPace } from "./pace.ts";

const rows: readonly (readonly [text: string, pace: Pace | undefined])[] = [
  ["fast", { kind: "fast" }],
  ["recorded", { kind: "recorded", factor: 1 }],
  ["recorded:1", { kind: "recorded", factor: 1 }],
  ["recorded:0.001", { kind: "recorded", factor: 0.001 }],
  ["recorded:0.02", { kind: "recorded", factor: 0.02 }],
  ["recorded:0", undefined],
  ["recorded:0.0009", undefined],
  ["recorded:1.1", undefined],
  ["recorded:-1", undefined],
  ["recorded:1e-2", undefined],
  ["recorded:", undefined],
  ["recorded:fast", undefined],
  ["recorded:0x1", undefined],
  ["Recorded", undefined],
  ["fast:1", undefined],
  ["slow", undefined],
  ["", undefined],
];

for (const [text, pace] of rows)
  test(`the pace '${text}' is ${pace ? "accepted" : "refused"}`, () => {
    assert.deepEqual(parsePace(text), pace);
    if (pace) assert.deepEqual(parsePace(paceText(pace)), pace);
  });

let directory = "";
before(async () => {
  directory = await mkdtemp(join(tmpdir(), "keelson-pace-"));
});
after(() => rm(directory, { recursive: true }));

test("a state directory keeps the pace until another is chosen", () => {
  const recorded: Pace = { kind: "recorded", factor: 0.5 };
  assert.deepEqual(choosePace(directory, undefined), { kind: "fast" });
  assert.deepEqual(choosePace(directory, recorded), recorded);
  assert.deepEqual(choosePace(directory, undefined), recorded);
  assert.deepEqual(rememberedPace(directory), recorded);
  assert.deepEqual(choosePace(directory, { kind: "fast" }), { kind: "fast" });
  assert.deepEqual(rememberedPace(directory), { kind: "fast" });
});

test("a file without a pace is reported with the remedy", () => {
  writeFileSync(join(directory, "pace.json"), '{"pace":"slow"}');
  assert.throws(
    () => rememberedPace(directory),
    (error) => isCoded(error, "StateUnreadable") && /names no pace\): remove it/.test(String(error)),
  );
});
