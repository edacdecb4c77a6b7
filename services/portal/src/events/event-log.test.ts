import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { EventLog } from "./event-log.ts";

test("a reconnecting client gets the missed events, or learns that they are unknown", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), fc.nat(60), fc.nat(60), (most, before, after) => {
      const log = new EventLog(most);
      for (let at = 0; at < before; at++) log.append("resync", {});
      const id = log.idOf(log.position);
      const missed = Array.from({ length: after }, () => log.append("resync", {}));
      const expected = after > most ? undefined : missed;
      assert.deepEqual(log.since(id), expected);
    }),
  );
});

test("IDs of other processes, future IDs and malformed IDs are unknown", () => {
  const log = new EventLog(10);
  log.append("resync", {});
  const own = log.idOf(log.position);
  for (const id of [undefined, "", "1", new EventLog(10).idOf({ sequence: 1 }), `${own}0`, `${own}x`])
    assert.equal(log.since(id), undefined, id);
  assert.deepEqual(log.since(own), []);
});
