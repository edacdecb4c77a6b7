import assert from "node:assert/strict";
import { test } from "node:test";
import { FairQueue } from "./fair-queue.ts";

function drain(queue: FairQueue): readonly string[] {
  const taken: string[] = [];
  for (let next = queue.take(); next; next = queue.take()) taken.push(`${next.group}${next.item}`);
  return taken;
}

test("groups take turns, independent of their number of items", () => {
  const queue = new FairQueue();
  for (const item of ["1", "2", "3", "4"]) queue.add("a", item);
  for (const item of ["1", "2"]) queue.add("b", item);
  queue.add("c", "1");
  assert.deepEqual(drain(queue), ["a1", "b1", "c1", "a2", "b2", "a3", "a4"]);
  assert.equal(queue.take(), undefined);
});

test("an item is queued only once, and again after its removal", () => {
  const queue = new FairQueue();
  queue.add("a", "1");
  queue.add("a", "1");
  assert.deepEqual(drain(queue), ["a1"]);
  queue.add("a", "1");
  assert.deepEqual(drain(queue), ["a1"]);
});
