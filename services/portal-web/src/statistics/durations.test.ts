import assert from "node:assert/strict";
import { test } from "node:test";
import {
  defaultDuration,
  durationMs,
  durations,
  goDuration,
  parseDurationName,
  parseEndTime,
} from "./durations.ts";

test("durations reach from a minute to eight weeks, each longer than the one before, as Go writes them", () => {
  assert.deepEqual(
    [goDuration("1m"), goDuration("2h"), goDuration("1d"), goDuration("8w")],
    ["1m", "2h", "24h", "1344h"],
  );
  const lengths = durations.map(durationMs);
  assert.deepEqual(
    lengths,
    lengths.toSorted((one, other) => one - other),
  );
  assert.deepEqual([lengths[0], lengths.at(-1)], [60_000, 56 * 86_400_000]);
});

test("a duration that is not offered is the usual one", () => {
  assert.equal(parseDurationName("8w"), "8w");
  for (const other of [null, "", "7w", "1 h"]) assert.equal(parseDurationName(other), defaultDuration);
});

test("an end time is UTC, to the second", () => {
  assert.equal(parseEndTime("2026-11-27T01:52"), "2026-11-27T01:52:00Z");
  assert.equal(parseEndTime("2026-11-27T01:52:46"), "2026-11-27T01:52:46Z");
  for (const other of [null, "", "now", "2026-13-40T99:99", "2026-11-27T01:52:46Z"])
    assert.equal(parseEndTime(other), undefined, String(other));
});
