import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@keelson/base/testing";
import { collectWhenIdle, compactHeap, heapSize } from "./idle-collection.ts";

const megabyte = 1024 * 1024;

test("garbage is collected once a burst of work is over, and again only when there is more", async () => {
  const clock = new ManualClock();
  const stop = new AbortController();
  let cpu = 0;
  let heap = megabyte * 100;
  let collections = 0;
  let collectionMs = 1_000;
  const running = collectWhenIdle({
    heapSize: () => heap,
    cpuMs: () => cpu,
    collect: () => {
      collections += 1;
      cpu += collectionMs;
      heap = megabyte * 60;
    },
    clock,
    signal: stop.signal,
  });
  const minute = async (cpuMs: number) => {
    for (let third = 0; third < 3; third++) {
      cpu += cpuMs / 3;
      await clock.advance(20_000);
    }
  };
  await minute(50_000);
  assert.equal(collections, 0, "while it works");
  await minute(500);
  assert.equal(collections, 1);
  heap = megabyte * 62;
  await minute(500);
  assert.equal(collections, 1, "it has hardly grown");
  heap = megabyte * 70;
  await minute(500);
  assert.equal(collections, 2);
  heap = megabyte * 100;
  collectionMs = 6_000;
  await minute(500);
  assert.equal(collections, 3);
  heap = megabyte * 100;
  for (let minutes = 0; minutes < 4; minutes++) await minute(500);
  assert.equal(collections, 3, "six seconds are two of a hundred of five minutes");
  await minute(500);
  await minute(500);
  assert.equal(collections, 4);
  stop.abort();
  await running;
});

test("a collection leaves no pages that are hardly used", () => {
  const before = heapSize();
  const objects = Array.from({ length: 200_000 }, (_, at) => ({ at, text: `${at}`, list: [at, { at }] }));
  const grown = heapSize() - before;
  assert.ok(grown > 20 * megabyte, `${grown} bytes`);
  // Of every page something stays.
  const left = objects.filter(({ at }) => at % 20 === 0);
  objects.length = 0;
  compactHeap()();
  assert.equal(left.length, 10_000);
  const kept = heapSize() - before;
  assert.ok(kept < grown / 4, `${kept} of ${grown} bytes`);
});
