import assert from "node:assert/strict";
import { test } from "node:test";
import { SurvivedLosses } from "./survived-losses.ts";

function leaseOf(id: string) {
  return { collection: "c", partitionKey: "p", id, owner: "o", generation: 1, expiresAt: new Date(0) };
}

test("lost attempts count until the document enters the queue again or is released", () => {
  const losses = new SurvivedLosses();
  losses.add(leaseOf("1"), 1);
  losses.add(leaseOf("1"), 3);
  assert.deepEqual(losses.attemptsBefore(leaseOf("1"), 4), [1, 3]);
  assert.deepEqual(losses.attemptsBefore(leaseOf("2"), 4), [], "a different document");
  assert.deepEqual(losses.attemptsBefore(leaseOf("1"), 1), [], "the document entered the queue again");
  losses.add(leaseOf("1"), 1);
  assert.deepEqual(losses.attemptsBefore(leaseOf("1"), 9), [1]);
  losses.forget(leaseOf("1"));
  assert.deepEqual(losses.attemptsBefore(leaseOf("1"), 9), []);
});

test("an endless series of losses counts in the end", () => {
  const losses = new SurvivedLosses();
  for (let attempt = 1; attempt <= 70; attempt++) losses.add(leaseOf("1"), attempt);
  const last = Array.from({ length: 50 }, (_, index) => 21 + index);
  assert.deepEqual(losses.attemptsBefore(leaseOf("1"), 71), last);
});

test("the number of documents is bounded, and the oldest is dropped", () => {
  const losses = new SurvivedLosses();
  for (let index = 0; index <= 1_000; index++) losses.add(leaseOf(`${index}`), 1);
  assert.deepEqual(losses.attemptsBefore(leaseOf("0"), 2), []);
  assert.deepEqual(losses.attemptsBefore(leaseOf("1000"), 2), [1]);
});
