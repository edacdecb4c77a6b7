import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { balance, bucketCount } from "./balance.ts";

function loads(buckets: readonly string[]): readonly number[] {
  const counts = new Map<string, number>();
  for (const owner of buckets) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  return [...counts.values()].sort((a, b) => b - a);
}

test("three workers get 86, 85 and 85 buckets, or close to it", () => {
  const buckets = balance([], ["c", "a", "b"]);
  assert.equal(buckets.length, bucketCount);
  assert.deepEqual(loads(buckets), [86, 85, 85]);
});

test("the buckets of a dead worker go to the others, and no others move", () => {
  const before = balance([], ["a", "b", "c"]);
  const after = balance(before, ["a", "c"]);
  assert.deepEqual(loads(after), [128, 128]);
  for (const [bucket, owner] of before.entries()) if (owner !== "b") assert.equal(after[bucket], owner);
});

test("buckets have no owner without workers", () => {
  assert.deepEqual(new Set(balance(["a"], [])), new Set([""]));
});

const worker: fc.Arbitrary<string> = fc.constantFrom("a", "b", "c", "d", "e", "f", "g");
const workers = fc.uniqueArray(worker, { minLength: 1 });

test("every bucket belongs to a living worker, shares are even, and the balance is stable", () => {
  fc.assert(
    fc.property(fc.array(worker, { maxLength: bucketCount }), workers, (current, living) => {
      const buckets = balance(current, living);
      assert.equal(buckets.length, bucketCount);
      assert.ok(buckets.every((owner) => living.includes(owner)));
      assert.ok(Math.max(...loads(buckets)) <= Math.ceil(bucketCount / living.length));
      assert.deepEqual(balance(buckets, living.toReversed()), buckets);
    }),
  );
});

test("what a living worker keeps within its share stays where it is", () => {
  fc.assert(
    fc.property(workers, workers, (before, after) => {
      const current = balance([], before);
      const moved = balance(current, after);
      const share = Math.ceil(bucketCount / after.length);
      for (const owner of after) {
        const had = current.filter((each) => each === owner).length;
        const kept = current.filter((each, bucket) => each === owner && moved[bucket] === owner).length;
        assert.equal(kept, Math.min(had, share));
      }
    }),
  );
});
