import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@keelson/base/testing";
import { RequestDeadline } from "./request-deadline.ts";

const limits = { limitMs: 60_000, slotMs: 5_000 };

test("requests of one slot share a signal, later ones get a new one", async () => {
  const clock = new ManualClock();
  const deadline = new RequestDeadline({ clock, lifetime: new AbortController().signal, ...limits });
  const first = deadline.signal();
  await clock.advance(4_999);
  assert.equal(deadline.signal(), first);
  await clock.advance(1);
  assert.notEqual(deadline.signal(), first);
});

test("the end of the lifetime ends all requests", () => {
  const lifetime = new AbortController();
  const deadline = new RequestDeadline({ clock: new ManualClock(), lifetime: lifetime.signal, ...limits });
  const signal = deadline.signal();
  lifetime.abort(new Error("stopped"));
  assert.equal(signal.reason.message, "stopped");
});

test("a request's time runs out", async () => {
  const lifetime = new AbortController().signal;
  const deadline = new RequestDeadline({ clock: new ManualClock(), lifetime, limitMs: 5, slotMs: 1 });
  const signal = deadline.signal();
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener("abort", () => resolve());
  // This timer keeps the test process running, because the signal's timer does not.
  const alive = setTimeout(() => undefined, 1_000);
  await promise;
  clearTimeout(alive);
  assert.equal(signal.reason.name, "TimeoutError");
});
