import assert from "node:assert/strict";
import { test } from "node:test";
import { SharedReads } from "./shared-reads.ts";

const signal = new AbortController().signal;

test("callers during a read share its result, and a later caller starts a new read", async () => {
  const reads = new SharedReads<number>(60_000);
  const ends: ((value: number) => void)[] = [];
  const read = () => new Promise<number>((resolve) => ends.push(resolve));
  const together = [reads.of("a", read, signal), reads.of("a", read, signal)];
  const elsewhere = reads.of("b", read, signal);
  assert.equal(ends.length, 2);
  ends[0]?.(1);
  ends[1]?.(2);
  assert.deepEqual(await Promise.all([...together, elsewhere]), [1, 1, 2]);
  const later = reads.of("a", read, signal);
  ends[2]?.(3);
  assert.equal(await later, 3);
});

test("an abort ends one wait, and the others continue", async () => {
  const reads = new SharedReads<number>(60_000);
  let end: (value: number) => void = () => undefined;
  const read = () =>
    new Promise<number>((resolve) => {
      end = resolve;
    });
  const stop = new AbortController();
  const given = reads.of("a", read, stop.signal);
  const kept = reads.of("a", read, signal);
  stop.abort(new Error("gone"));
  await assert.rejects(given, /gone/);
  end(7);
  assert.equal(await kept, 7);
  await assert.rejects(reads.of("a", read, stop.signal), /gone/);
});

test("a failure is everybody's, and is not kept; a read has its limit", async () => {
  const reads = new SharedReads<number>(10);
  const failing = () => Promise.reject(new Error("no answer"));
  const both = await Promise.allSettled([reads.of("a", failing, signal), reads.of("a", failing, signal)]);
  assert.deepEqual(
    both.map(({ status }) => status),
    ["rejected", "rejected"],
  );
  assert.equal(await reads.of("a", async () => 1, signal), 1);
  const endless = (limit: AbortSignal) =>
    new Promise<number>((_, reject) => limit.addEventListener("abort", () => reject(limit.reason)));
  await assert.rejects(reads.of("b", endless, signal), { name: "TimeoutError" });
});
