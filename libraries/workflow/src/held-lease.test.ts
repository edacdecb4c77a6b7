import assert from "node:assert/strict";
import { test } from "node:test";
import { isCoded, silentLogger } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import type { Document, Leased, LeasedCollection, RenewResult } from "@keelson/database";
import { HeldLease } from "./held-lease.ts";

const leaseMs = 60_000;
const heartbeatMs = 10_000;

/** Returns a lease on a manual clock. `renew` returns the database's response to a renewal. */
function hold(renew: () => Promise<RenewResult>, cpuMs = () => 0) {
  const lostByOwnFault: boolean[] = [];
  const clock = new ManualClock();
  const lease = {
    collection: "c",
    partitionKey: "p",
    id: "1",
    owner: "o",
    generation: 1,
    expiresAt: new Date(clock.now().getTime() + leaseMs),
  };
  const leased: Leased<Document> = { document: { id: "1", partitionKey: "p" }, etag: "1", lease, attempt: 1 };
  let renewals = 0;
  const collection: Pick<LeasedCollection<Document>, "renew"> = {
    renew: () => {
      renewals += 1;
      return renew();
    },
  };
  const held = new HeldLease({
    collection,
    leased,
    leaseMs,
    heartbeatMs,
    askedAtMs: clock.monotonicMs(),
    onLost: (isOwnFault) => {
      lostByOwnFault.push(isOwnFault);
    },
    cpuMs,
    clock,
    logger: silentLogger,
  }).start();
  return { clock, held, lease, lostByOwnFault, renewals: () => renewals };
}

test("a lease is renewed every heartbeat, and lasts as long as it is", async () => {
  const { clock, held, lease, renewals } = hold(async () => ({
    kind: "renewed",
    lease: { ...lease, generation: 1 },
  }));
  await clock.advance(10 * leaseMs);
  assert.equal(renewals(), (10 * leaseMs) / heartbeatMs);
  held.assertHeld();
  await held[Symbol.asyncDispose]();
});

test("renewals that fail are ridden out until the lease really ends", async () => {
  const { clock, held, renewals } = hold(() => Promise.reject(new Error("no connection")));
  await clock.advance(leaseMs - 1);
  held.assertHeld();
  assert.ok(renewals() >= 5);
  await clock.advance(1);
  assert.ok(held.signal.aborted);
  assert.throws(
    () => held.assertHeld(),
    (error) => isCoded(error, "LeaseLost"),
  );
  await held[Symbol.asyncDispose]();
});

test("a lease that the database gave away is lost at the next heartbeat", async () => {
  const { clock, held } = hold(async () => ({ kind: "lost" }));
  await clock.advance(heartbeatMs);
  assert.ok(held.signal.aborted);
  await held[Symbol.asyncDispose]();
});

test("a process that stood still beyond its lease is stopped at its first request, before any heartbeat", async () => {
  let nowMs = 0;
  const standstill = {
    now: () => new Date(nowMs),
    monotonicMs: () => nowMs,
    sleep: () => new Promise<void>(() => {}),
  };
  const leased: Leased<Document> = {
    document: { id: "1", partitionKey: "p" },
    etag: "1",
    lease: {
      collection: "c",
      partitionKey: "p",
      id: "1",
      owner: "o",
      generation: 1,
      expiresAt: new Date(leaseMs),
    },
    attempt: 1,
  };
  const held = new HeldLease({
    collection: { renew: () => assert.fail("no heartbeat") },
    leased,
    leaseMs,
    heartbeatMs,
    askedAtMs: 0,
    clock: standstill,
    logger: silentLogger,
  }).start();
  nowMs = leaseMs;
  assert.throws(
    () => held.assertHeld(),
    (error) => isCoded(error, "LeaseLost"),
  );
  assert.ok(held.signal.aborted);
});

for (const [what, share, expected] of [
  ["a process that got a tenth of a core", 0.1, false],
  ["a process that used a core itself", 1, true],
] as const) {
  test(`the loss of a lease by ${what} is ${expected ? "its own fault" : "a fault of the machine or the database"}`, async () => {
    const times = { now: () => 0 };
    const { clock, held, lostByOwnFault } = hold(
      () => Promise.reject(new Error("no connection")),
      () => times.now() * share,
    );
    const begin = clock.monotonicMs();
    times.now = () => clock.monotonicMs() - begin;
    await clock.advance(leaseMs);
    assert.deepEqual(lostByOwnFault, [expected]);
    await held[Symbol.asyncDispose]();
  });
}
