import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@keelson/base/testing";
import { ExpiringResults } from "./expiring-results.ts";

test("a result is shared while its work runs and until its age, then worked out again", async () => {
  const clock = new ManualClock();
  const results = new ExpiringResults<number>(clock);
  let runs = 0;
  const work = async () => {
    runs += 1;
    await Promise.resolve();
    return { value: runs, maxAgeMs: 10_000 };
  };
  assert.deepEqual(await Promise.all([results.get("a", work), results.get("a", work)]), [1, 1]);
  await clock.advance(9_999);
  assert.equal(await results.get("a", work), 1);
  await clock.advance(1);
  assert.equal(await results.get("a", work), 2);
  assert.equal(await results.get("b", work), 3);
});

test("a failure is not kept", async () => {
  const results = new ExpiringResults<string>(new ManualClock());
  const failing = () => Promise.reject(new Error("no API server"));
  await assert.rejects(results.get("a", failing), /no API server/);
  assert.equal(await results.get("a", async () => ({ value: "good", maxAgeMs: 1 })), "good");
});

test("beyond 32 running works a new one is refused", async () => {
  const results = new ExpiringResults<number>(new ManualClock());
  const { promise, resolve } = Promise.withResolvers<{ value: number; maxAgeMs: number }>();
  const running = Array.from({ length: 32 }, (_, index) => results.get(`${index}`, () => promise));
  await assert.rejects(
    results.get("more", () => promise),
    /too many requests/,
  );
  assert.equal(running.length, 32);
  resolve({ value: 1, maxAgeMs: 1 });
  await Promise.all(running);
});
