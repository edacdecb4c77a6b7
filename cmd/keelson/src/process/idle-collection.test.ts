import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import process from "node:process";
import { test } from "node:test";
import { promisify } from "node:util";
import { ManualClock } from "@keelson/base/testing";
import { collectWhenIdle } from "./idle-collection.ts";

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
  assert.equal(collections, 1, "one second is two of a thousand of 500 seconds");
  for (let minutes = 0; minutes < 8; minutes++) await minute(500);
  assert.equal(collections, 2);
  for (let minutes = 0; minutes < 9; minutes++) await minute(500);
  heap = megabyte * 100;
  collectionMs = 6_000;
  await minute(500);
  assert.equal(collections, 3);
  heap = megabyte * 100;
  for (let minutes = 0; minutes < 49; minutes++) await minute(500);
  assert.equal(collections, 3, "six seconds are two of a thousand of fifty minutes");
  await minute(500);
  await minute(500);
  assert.equal(collections, 4);
  stop.abort();
  await running;
});

test("a heap above the maximum is not collected", async () => {
  const clock = new ManualClock();
  const stop = new AbortController();
  let heap = megabyte * 300;
  let collections = 0;
  const running = collectWhenIdle({
    heapSize: () => heap,
    cpuMs: () => 0,
    collect: () => {
      collections += 1;
    },
    maxHeapBytes: megabyte * 256,
    clock,
    signal: stop.signal,
  });
  await clock.advance(60_000);
  assert.equal(collections, 0);
  heap = megabyte * 200;
  await clock.advance(20_000);
  assert.equal(collections, 1);
  stop.abort();
  await running;
});

/** Script for a separate process, because garbage of other tests in this heap would hide the effect. */
const fragmented = `
  import { compactHeap, heapSize } from ${JSON.stringify(new URL("idle-collection.ts", import.meta.url).href)};
  const compact = compactHeap();
  const before = heapSize();
  const objects = Array.from({ length: 200_000 }, (_, at) => ({ at, text: String(at), list: [at, { at }] }));
  const grown = heapSize() - before;
  // Keeps every twentieth object, so that no heap page becomes empty.
  const left = objects.filter(({ at }) => at % 20 === 0);
  objects.length = 0;
  compact();
  console.log(JSON.stringify({ left: left.length, grown, kept: heapSize() - before }));
`;

test("a collection leaves no pages that are hardly used", async () => {
  const flags = ["--disable-warning=ExperimentalWarning", "--input-type=module"];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, "-e", fragmented]);
  const { left, grown, kept } = JSON.parse(stdout);
  assert.equal(left, 10_000);
  assert.ok(grown > 10 * megabyte, `${grown} bytes`);
  assert.ok(kept < grown / 3, `${kept} of ${grown} bytes`);
});
