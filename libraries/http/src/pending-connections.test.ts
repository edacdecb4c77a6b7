import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Clock } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import fc from "fast-check";
import { type DropReason, PendingConnections, type PendingLimits } from "./pending-connections.ts";

const limits: PendingLimits = { start: 2, full: 4, total: 6, reserved: 1, authenticateMs: 20_000 };

function limited(random: () => number, more: Partial<PendingLimits> = {}) {
  const clock = new ManualClock();
  const dropped: [string, DropReason][] = [];
  const connections = new PendingConnections({ ...limits, ...more, clock, random });
  const add = (name: string, source: string | undefined) =>
    connections.add(source, (reason) => dropped.push([name, reason]));
  return { clock, connections, dropped, add };
}

describe("unauthenticated connections", () => {
  test("no connection is dropped up to `start`, and from `full` on each new one replaces one", () => {
    const { add, connections, dropped } = limited(() => 0.999);
    for (const name of ["a", "b", "c", "d"]) add(name, "one");
    assert.deepEqual(dropped, []);
    add("e", "one");
    assert.deepEqual(dropped, [["e", "source"]]);
    assert.equal(connections.size, 4);
  });

  test("between the start and the full number one of the same source is dropped at random", () => {
    const shares = [0.2, 0.5];
    const { add, dropped } = limited(() => shares.shift() ?? 0.9);
    shares.unshift(0.9, 0.9, 0.9);
    for (const name of ["a", "b"]) add(name, "one");
    add("other", "two");
    add("c", "one");
    assert.deepEqual(dropped, [["b", "source"]]);
  });

  test("an authenticated or closed connection counts no longer", () => {
    const { add, connections, dropped } = limited(() => 0);
    for (let i = 0; i < 50; i++) add(`${i}`, "one").remove();
    assert.equal(connections.size, 0);
    assert.deepEqual(dropped, []);
  });

  test("known sources leave the reserved places to connections without a source", () => {
    const { add, connections, dropped } = limited(() => 0.5, { start: 100, full: 100 });
    for (let i = 0; i < 10; i++) add(`${i}`, `source ${i}`);
    assert.equal(connections.size, 5);
    add("probe", undefined);
    assert.equal(connections.size, 6);
    add("late", undefined).assign("late");
    assert.ok(dropped.every(([name, reason]) => name !== "probe" && reason === "total"));
    assert.equal(connections.size, 6);
  });

  test("one that does not authenticate in time is closed", async () => {
    const { add, clock, connections, dropped } = limited(() => 0.9);
    add("slow", "one");
    await clock.advance(10_000);
    const prompt = add("prompt", "two");
    await clock.advance(9_000);
    prompt.remove();
    assert.deepEqual(dropped, []);
    await clock.advance(1_000);
    assert.deepEqual(dropped, [["slow", "time"]]);
    assert.equal(connections.size, 0);
    assert.equal(clock.sleeping, 0);
    add("next", "one");
    await clock.advance(20_000);
    assert.deepEqual(dropped.at(-1), ["next", "time"]);
  });

  test("a process that was blocked charges its clients for one pass of the event loop only", async () => {
    const sleeps: (() => void)[] = [];
    const clock: Clock = {
      now: () => new Date(0),
      monotonicMs: () => 0,
      sleep: () => new Promise((resolve) => sleeps.push(resolve)),
    };
    const dropped: DropReason[] = [];
    new PendingConnections({ ...limits, clock }).add("one", (reason) => dropped.push(reason));
    for (let pass = 1; pass < 20; pass++) {
      sleeps.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.deepEqual(dropped, []);
    sleeps.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(dropped, ["time"]);
  });

  test("no order of events exceeds a limit or drops a connection twice", () => {
    const event = fc.oneof(
      fc.record({ kind: fc.constant("add" as const), source: fc.option(fc.integer({ min: 0, max: 2 })) }),
      fc.record({ kind: fc.constant("remove" as const), at: fc.nat() }),
      fc.record({
        kind: fc.constant("assign" as const),
        at: fc.nat(),
        source: fc.integer({ min: 0, max: 2 }),
      }),
    );
    fc.assert(
      fc.property(
        fc.array(event, { maxLength: 60 }),
        fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
        (events, random) => {
          const { add, connections, dropped } = limited(() => random.next().value ?? 0);
          const added: ReturnType<typeof add>[] = [];
          for (const each of events) {
            if (each.kind === "add")
              added.push(add(`${added.length}`, each.source === null ? undefined : `${each.source}`));
            else if (each.kind === "remove") added[each.at % (added.length || 1)]?.remove();
            else added[each.at % (added.length || 1)]?.assign(`${each.source}`);
            assert.ok(connections.size <= limits.total);
          }
          assert.equal(new Set(dropped.map(([name]) => name)).size, dropped.length);
          for (const each of added) each.remove();
          assert.equal(connections.size, 0);
        },
      ),
    );
  });
});
