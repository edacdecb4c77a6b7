import assert from "node:assert/strict";
import { test } from "node:test";
import { allSucceeded } from "./all-succeeded.ts";

test("all values are returned in the order of the promises", async () => {
  assert.deepEqual(await allSucceeded([Promise.resolve(1), Promise.resolve(2)]), [1, 2]);
  assert.deepEqual(await allSucceeded([]), []);
});

test("the first error in order is thrown after all promises have settled", async () => {
  const slow = Promise.withResolvers<void>();
  let hasEnded = false;
  const all = allSucceeded([slow.promise, Promise.reject(new Error("second"))]).finally(() => {
    hasEnded = true;
  });
  all.catch(() => undefined);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(hasEnded, false);
  slow.reject(new Error("first"));
  await assert.rejects(all, { message: "first" });
});
