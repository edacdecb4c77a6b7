import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { burst, slowStart } from "./slow-start.ts";

test("batches grow from 1 to 32, and one call handles at most 500 items", async () => {
  const called: number[] = [];
  let running = 0;
  const concurrent: number[] = [];
  await slowStart(2_000_000_000, async (at) => {
    called.push(at);
    running++;
    await nextTurn();
    concurrent.push(running);
    await nextTurn();
    running--;
  });
  assert.deepEqual(
    called,
    Array.from({ length: burst }, (_, at) => at),
  );
  assert.deepEqual(concurrent.slice(0, 4), [1, 2, 2, 4]);
  assert.equal(Math.max(...concurrent), 32);
});

test("after a failure, no further batch starts, and the calls of the batch have ended", async () => {
  let ended = 0;
  const run = async (at: number) => {
    await nextTurn();
    ended++;
    if (at === 1) throw new Error("refused");
  };
  await assert.rejects(slowStart(100, run), /refused/);
  assert.equal(ended, 3);
  await slowStart(0, run);
});
