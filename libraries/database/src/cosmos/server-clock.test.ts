import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@keelson/base/testing";
import fc from "fast-check";
import { ServerClock } from "./server-clock.ts";

/**
 * Simulates an exchange with a server. The server's clock is ahead by `aheadMs`, and its `Date` header contains whole seconds.
 */
function exchangeWith(clock: ManualClock, server: ServerClock, aheadMs: number) {
  return async (thereMs: number, backMs: number) => {
    const sentMs = clock.monotonicMs();
    await clock.advance(thereMs);
    const date = new Date(clock.now().getTime() + aheadMs).toUTCString();
    await clock.advance(backMs);
    server.observe(date, sentMs, clock.monotonicMs());
  };
}

test("the server's time is known to less than a second and a round trip, whatever this process's clock shows", async () => {
  const delay = fc.integer({ min: 0, max: 400 });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: -10_000_000_000, max: 10_000_000_000 }),
      fc.array(fc.tuple(delay, delay, fc.integer({ min: 0, max: 5_000 })), { minLength: 1, maxLength: 30 }),
      async (aheadMs, exchanges) => {
        const clock = new ManualClock();
        const server = new ServerClock(clock);
        const exchange = exchangeWith(clock, server, aheadMs);
        let lastError = Number.POSITIVE_INFINITY;
        for (const [there, back, pause] of exchanges) {
          await exchange(there, back);
          const error = Math.abs(server.nowMs() - clock.now().getTime() - aheadMs);
          assert.ok(error <= (1_000 + there + back) / 2 || error <= lastError, `wrong by ${error} ms`);
          lastError = Math.max(error, 1);
          await clock.advance(pause);
        }
      },
    ),
    { numRuns: 50 },
  );
});

test("many responses reduce the uncertainty of the difference", async () => {
  const clock = new ManualClock();
  const server = new ServerClock(clock);
  const exchange = exchangeWith(clock, server, 123_456);
  for (let index = 0; index < 60; index++) {
    await exchange(2, 3);
    await clock.advance(130);
  }
  assert.ok(Math.abs(server.nowMs() - clock.now().getTime() - 123_456) <= 70);
});

test("a clock that was set or that drifts is adopted immediately", async () => {
  const clock = new ManualClock();
  const server = new ServerClock(clock);
  for (const aheadMs of [0, 3_600_000, -60_000]) {
    await exchangeWith(clock, server, aheadMs)(1, 1);
    assert.ok(Math.abs(server.nowMs() - clock.now().getTime() - aheadMs) <= 501);
  }
});

test("before the first response, and after an invalid date, the time is that of this process", () => {
  const clock = new ManualClock();
  const server = new ServerClock(clock);
  server.observe("yesterday", 0, 1);
  assert.equal(server.nowMs(), clock.now().getTime());
});

test("tickets only rise, also when the clock goes back", () => {
  const clock = new ManualClock();
  const server = new ServerClock(clock);
  const tickets: number[] = [];
  for (const [date, count] of [
    ["Sun, 22 Nov 2026 09:00:00 GMT", 5_000],
    ["Sun, 22 Nov 2026 08:00:00 GMT", 5_000],
    ["Sun, 22 Nov 2099 08:00:00 GMT", 10],
  ] as const) {
    server.observe(date, clock.monotonicMs(), clock.monotonicMs());
    for (let index = 0; index < count; index++) tickets.push(server.ticket());
  }
  assert.ok(tickets.every((ticket, index) => index === 0 || ticket > (tickets[index - 1] ?? 0)));
  assert.ok(tickets.every(Number.isSafeInteger));
});

test("a Date header that a busy server updated late does not set the time back", async () => {
  const clock = new ManualClock();
  const server = new ServerClock(clock);
  const startMs = clock.now().getTime();
  const observe = (dateMs: number) =>
    server.observe(new Date(dateMs).toUTCString(), clock.monotonicMs(), clock.monotonicMs());
  await clock.advance(1_000 - (startMs % 1_000));
  const secondMs = clock.now().getTime();
  observe(secondMs);
  await clock.advance(1_200);
  const beforeMs = server.nowMs();
  observe(secondMs);
  assert.equal(server.nowMs(), beforeMs);
  await clock.advance(5_000);
  observe(secondMs + 6_000);
  assert.ok(server.nowMs() > beforeMs);
  assert.ok(Math.abs(server.nowMs() - clock.now().getTime()) <= 1_200);
});
