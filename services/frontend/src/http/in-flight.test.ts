import assert from "node:assert/strict";
import { test } from "node:test";
import { InFlight } from "./in-flight.ts";

test("it is idle when the last request has left", async () => {
  const inFlight = new InFlight();
  assert.equal(await inFlight.idle(AbortSignal.abort()), true);
  inFlight.enter();
  inFlight.enter();
  const idle = inFlight.idle(new AbortController().signal);
  inFlight.leave();
  inFlight.leave();
  assert.equal(await idle, true);
});

test("waiting ends when its time is over", async () => {
  const inFlight = new InFlight();
  inFlight.enter();
  assert.equal(await inFlight.idle(AbortSignal.abort()), false);
});
