import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { ManualClock } from "@keelson/base/testing";
import { DocumentCache } from "./document-cache.ts";

interface TestDocument {
  readonly id: string;
  readonly partitionKey: string;
}

const minuteMs = 60_000;
setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

function keep(cache: DocumentCache<TestDocument>, id: string): WeakRef<object> {
  const key = { partitionKey: "p", id };
  const document = { id, partitionKey: "p" };
  cache.keep({ key, version: `${id}@1`, stored: { document, etag: "1" } }, 100);
  cache.found(`read ${id}`, [key]);
  return new WeakRef(document);
}

async function isCollected(reference: WeakRef<object>): Promise<boolean> {
  await nextTurn();
  collect();
  return reference.deref() === undefined;
}

test("a document that is read stays, and one that is not read for ten minutes is freed by reads of others", async () => {
  const clock = new ManualClock();
  const cache = new DocumentCache<TestDocument>(clock);
  const read = (id: string) => cache.guess(`read ${id}`).map(({ version }) => version);
  const [busy, idle] = [keep(cache, "busy"), keep(cache, "idle")];
  for (let minutes = 0; minutes < 9; minutes++) {
    await clock.advance(minuteMs);
    assert.deepEqual(read("busy"), ["busy@1"]);
  }
  assert.equal(await isCollected(idle), false);
  await clock.advance(2 * minuteMs);
  assert.deepEqual(read("busy"), ["busy@1"]);
  assert.equal(await isCollected(idle), true);
  assert.equal(await isCollected(busy), false);
  assert.deepEqual(read("idle"), []);
});
