import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "./testing/manual-clock.ts";
import { TokenBuckets } from "./token-buckets.ts";

const limit = { burst: 2, perSecond: 0.5 };

test("a bucket is filled over time, up to its size", async () => {
  const clock = new ManualClock();
  const buckets = new TokenBuckets();
  const take = () => buckets.take("a", limit, clock);
  assert.deepEqual([take(), take(), take()], [{ left: 1 }, { left: 0 }, { retryAfterSeconds: 2 }]);
  await clock.advance(1_000);
  assert.deepEqual(take(), { retryAfterSeconds: 1 });
  await clock.advance(1_000);
  assert.deepEqual([take(), take()], [{ left: 0 }, { retryAfterSeconds: 2 }]);
  await clock.advance(3_600_000);
  assert.deepEqual(take(), { left: 1 });
});

test("keys do not share tokens, and the number of buckets is bounded", () => {
  const clock = new ManualClock();
  const buckets = new TokenBuckets();
  for (let key = 0; key < 40_000; key++) assert.deepEqual(buckets.take(`${key}`, limit, clock), { left: 1 });
  assert.equal(buckets.size, 30_000);
});
