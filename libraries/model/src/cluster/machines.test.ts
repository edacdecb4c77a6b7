import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { distribute } from "./machines.ts";

for (const [total, shares] of [
  [3, [1, 1, 1]],
  [5, [2, 2, 1]],
  [2, [1, 1, 0]],
] as const) {
  test(`${total} workers are ${shares.join(", ")}`, () => assert.deepEqual(distribute(total, 3), shares));
}

test("shares add up and differ by one at most", () => {
  fc.assert(
    fc.property(fc.nat(200), fc.integer({ min: 1, max: 9 }), (total, among) => {
      const shares = distribute(total, among);
      assert.equal(
        shares.reduce((sum, share) => sum + share, 0),
        total,
      );
      assert.ok(Math.max(...shares) - Math.min(...shares) <= 1);
    }),
  );
});
