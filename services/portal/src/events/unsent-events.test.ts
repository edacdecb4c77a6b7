import assert from "node:assert/strict";
import { test } from "node:test";
import type { PortalEvents } from "@keelson/portal-api";
import { EventLog } from "./event-log.ts";
import { UnsentEvents } from "./unsent-events.ts";

type Operation = PortalEvents["operation"];

const operation = (id: string): Operation => ({
  ...{ resourceId: "/r", id, kind: "Updating", state: "Updating" },
  currentSteps: [],
});

/** Events with a log and running operations. Counts the reads of the running operations. */
class Fleet {
  readonly log = new EventLog(2_000);
  readonly operations: Operation[] = [];
  reads = 0;

  get inFlight(): readonly Operation[] {
    this.reads += 1;
    return this.operations;
  }
}

function framesOf(text: string): readonly { readonly id: string | undefined; readonly name: string }[] {
  return [...text.matchAll(/^(?:id: (.*)\n)?event: (.*)\ndata: .*\n\n/gm)].map(([, id, name = ""]) => ({
    id,
    name,
  }));
}

test("a slow stream computes the start frames once, when it can write", () => {
  const fleet = new Fleet();
  fleet.operations.push(operation("a"));
  const unsent = new UnsentEvents(fleet, undefined);
  unsent.take();
  assert.ok(unsent.isEmpty);
  fleet.reads = 0;
  for (let at = 0; at < 5_000; at++) unsent.add(fleet.log.append("resync", {}));
  assert.equal(fleet.reads, 0);
  assert.ok(!unsent.isEmpty);
  assert.deepEqual(framesOf(unsent.take()), [
    { id: undefined, name: "resync" },
    { id: fleet.log.idOf(fleet.log.position), name: "operation" },
  ]);
  assert.equal(fleet.reads, 1);
  assert.ok(unsent.isEmpty);
  const next = fleet.log.append("operation", operation("b"));
  unsent.add(next);
  assert.deepEqual(framesOf(unsent.take()), [{ id: fleet.log.idOf(next), name: "operation" }]);
});

test("a client that loses the connection between the start frames receives all of them again", () => {
  const fleet = new Fleet();
  fleet.operations.push(operation("a"), operation("b"), operation("c"));
  const frames = framesOf(new UnsentEvents(fleet, undefined).take());
  for (const received of frames.keys()) {
    const lastEventId = frames.slice(0, received).findLast(({ id }) => id !== undefined)?.id;
    assert.equal(framesOf(new UnsentEvents(fleet, lastEventId).take()).length, frames.length);
  }
  assert.ok(new UnsentEvents(fleet, frames.at(-1)?.id).isEmpty);
});

test("a reconnected client receives only the missed events, each with its ID", () => {
  const fleet = new Fleet();
  const id = fleet.log.idOf(fleet.log.append("resync", {}));
  const missed = [fleet.log.append("operation", operation("a")), fleet.log.append("resync", {})];
  assert.deepEqual(
    framesOf(new UnsentEvents(fleet, id).take()),
    missed.map((event) => ({ id: fleet.log.idOf(event), name: event.name })),
  );
});
