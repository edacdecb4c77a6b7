import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { elevate } from "@keelson/admin-actions";
import { systemClock } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { openStore } from "@keelson/cluster/testing";
import { CheckClock } from "../testing/check-clock.ts";
import { Elevations } from "./elevations.ts";
import type { Login } from "./login.ts";
import { PersonStreams, type PersonStreamsOptions } from "./person-streams.ts";

const hourMs = 3_600_000;
const never = () => new Promise<void>(() => undefined);

function setUp(more: Partial<PersonStreamsOptions> = {}, login: Partial<Login> = {}) {
  const options = { signOuts: { ended: never }, clock: systemClock, most: 2, refusal: "too many" };
  const streams = new PersonStreams({ ...options, ...more });
  const client = new AbortController();
  const person = { username: "ada", expires: new Date(Date.now() + hourMs), ...login } as Login;
  return { client, open: () => streams.open({ login: () => person, signal: client.signal }) };
}

function elevatedUntil(until: Date): Partial<Login> {
  return { elevation: { of: "tenant/ada", from: new Date().toISOString(), until } };
}

test("a person has a limited number of streams, and a released slot is free again", () => {
  const { open } = setUp();
  const [first] = [open(), open()];
  assert.throws(open, { code: "TooManyRequests", message: "too many" });
  first?.release();
  first?.release();
  open();
  assert.throws(open, { code: "TooManyRequests" });
});

test("a stream ends and releases its slot when the client disconnects before the response", () => {
  const { open, client } = setUp({ most: 1 });
  const { signal } = open();
  client.abort();
  assert.ok(signal.aborted);
  assert.doesNotThrow(open);
});

test("a stream ends with the sign-in", async () => {
  const signOut = Promise.withResolvers<void>();
  const { signal } = setUp({ signOuts: { ended: () => signOut.promise } }).open();
  const ended = once(signal, "abort");
  signOut.resolve();
  await ended;
});

test("a stream of an elevated person ends with an elevation that is ended early", async () => {
  const elevation = Promise.withResolvers<void>();
  const elevations = { ended: () => elevation.promise };
  const { signal } = setUp({ elevations }, elevatedUntil(new Date(Date.now() + hourMs))).open();
  const ended = once(signal, "abort");
  elevation.resolve();
  await ended;
});

test("a stream ends within 15 seconds after the elevation of its person expires", async () => {
  await using database = await openStore();
  const clock = new CheckClock(new Date());
  const governance = { elevation: { maxMinutes: 60 }, approval: undefined, freezes: [] };
  const elevations = new Elevations({ database, governance, clock });
  const person = { subject: "tenant/ada", username: "ada", reason: "incident 7", minutes: 5 };
  const signal = AbortSignal.timeout(900_000);
  const { from, until } = await elevate({ database, clock }, person, signal);
  const elevation = { of: person.subject, from, until: new Date(until) };
  const login = { subject: person.subject, elevation };
  const stream = setUp({ clock, elevations }, login).open();
  await clock.assertEndAfter(Date.parse(until), () => (stream.signal.aborted ? 0 : 1));
});

test("a stream without a need for elevation continues after the elevation", async () => {
  const { signal } = setUp({}, elevatedUntil(new Date(Date.now() - 1))).open();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(signal.aborted, false);
});

test("a stream ends at its maximum duration", { timeout: 60_000 }, async () => {
  const clock = new ManualClock();
  const expires = new Date(clock.now().getTime() + hourMs);
  const { signal } = setUp({ clock, maxMs: 1 }, { expires }).open();
  if (!signal.aborted) await once(signal, "abort");
});
