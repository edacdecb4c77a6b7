import assert from "node:assert/strict";
import { test } from "node:test";
import { InFlight } from "./in-flight.ts";

test("InFlight is idle when the last request has its response", async () => {
  const inFlight = new InFlight();
  assert.equal(await inFlight.idle(AbortSignal.abort()), true);
  inFlight.enter();
  inFlight.enter();
  const idle = inFlight.idle(new AbortController().signal);
  inFlight.leave();
  assert.equal(await inFlight.idle(AbortSignal.abort()), false);
  const again = inFlight.idle(new AbortController().signal);
  inFlight.leave();
  assert.equal(await again, true);
  assert.equal(await Promise.race([idle, Promise.resolve("replaced")]), "replaced");
});

test("InFlight is not idle when the signal aborts before the last response", async () => {
  const inFlight = new InFlight();
  inFlight.enter();
  assert.equal(await inFlight.idle(AbortSignal.abort()), false);
});
