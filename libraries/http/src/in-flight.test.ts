import assert from "node:assert/strict";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { test } from "node:test";
import { InFlight } from "./in-flight.ts";

const newResponse = () => new ServerResponse(new IncomingMessage(new Socket()));

test("InFlight is idle when the last response is closed", async () => {
  const inFlight = new InFlight();
  assert.equal(await inFlight.idle(AbortSignal.abort()), true);
  const [first, second] = [newResponse(), newResponse()];
  inFlight.add(first);
  inFlight.add(second);
  const idle = inFlight.idle(new AbortController().signal);
  first.emit("close");
  assert.deepEqual([...inFlight], [second]);
  second.emit("close");
  assert.equal(await idle, true);
});

test("InFlight is not idle when the signal aborts before the last response", async () => {
  const inFlight = new InFlight();
  inFlight.add(newResponse());
  assert.equal(await inFlight.idle(AbortSignal.abort()), false);
});
