import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { WriterOfObject } from "./writer-of-object.ts";

/** Store with optimistic locking. Writes are asynchronous and are retried on conflicts. */
function optimisticStore() {
  const store = {};
  let revision = 0;
  let attempts = 0;
  const write = async (object: string) => {
    using writer = new WriterOfObject(store, object);
    for (let attempt = 1; ; attempt++) {
      await writer.turn(attempt);
      attempts += 1;
      const seen = revision;
      for (let turns = 0; turns < 6; turns++) await turn();
      if (revision === seen) return ++revision;
    }
  };
  return { store, write, attempts: () => attempts };
}

test("forty writers of one object need two attempts each instead of forty", async () => {
  const { write, attempts } = optimisticStore();
  const revisions = await Promise.all(Array.from({ length: 40 }, () => write("a")));
  assert.deepEqual(
    revisions.toSorted((a, b) => a - b),
    Array.from({ length: 40 }, (_, at) => at + 1),
  );
  assert.ok(attempts() <= 80, `${attempts()} attempts`);
});

test("a writer waits only for writers of the same object, and continues when they leave", async () => {
  const { store, write } = optimisticStore();
  using overtaken = new WriterOfObject(store, "a");
  await overtaken.turn(1);
  await overtaken.turn(2);
  const waits = write("a");
  const first = await Promise.race([waits.then(() => "a"), write("b").then(() => "b")]);
  assert.equal(first, "b");
  overtaken.leave();
  await waits;
});

test("a writer continues after a second if its predecessor does not finish", async () => {
  const { store, write } = optimisticStore();
  using stuck = new WriterOfObject(store, "a");
  await stuck.turn(2);
  const began = performance.now();
  await write("a");
  assert.ok(performance.now() - began >= 990);
});
