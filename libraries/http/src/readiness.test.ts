import assert from "node:assert/strict";
import { test } from "node:test";
import { createLogger } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { type NotReady, Readiness } from "./readiness.ts";

test("readiness names the reason, keeps reads apart from writes, and logs each change once", async () => {
  const lines: string[] = [];
  const logger = createLogger({ level: "info", destination: { write: (line) => void lines.push(line) } });
  const clock = new ManualClock();
  let failure: Error | undefined;
  let isBlocked = false;
  let own: NotReady | undefined = { reason: "The list of callers was not read yet." };
  const readiness = new Readiness({
    database: {
      ping: async () => {
        if (failure) throw failure;
      },
      writes: () =>
        isBlocked
          ? { kind: "blocked", cause: "synchronous_replication", reason: "No standby confirms." }
          : { kind: "accepted" },
    },
    own: () => own,
    clock,
    logger,
  });
  const states = async () => {
    await clock.advance(1_000);
    const [reads, writes] = [await readiness.reads(), await readiness.writes()];
    return [reads?.reason, writes?.reason];
  };
  assert.deepEqual(await states(), Array(2).fill("The list of callers was not read yet."));
  own = undefined;
  assert.deepEqual(await states(), [undefined, undefined]);
  isBlocked = true;
  assert.deepEqual(await states(), [undefined, "The database accepts no writes (synchronous_replication)."]);
  assert.deepEqual(await states(), [undefined, "The database accepts no writes (synchronous_replication)."]);
  failure = new Error("connect ECONNREFUSED 10.0.0.1:5432");
  assert.deepEqual(await states(), Array(2).fill("The database does not respond."));
  const messages = lines.map((line) => JSON.parse(line)).map(({ msg, detail }) => [msg, detail]);
  assert.deepEqual(messages, [
    ["not ready", undefined],
    ["not ready for writes", undefined],
    ["ready", undefined],
    ["ready for writes", undefined],
    ["not ready for writes", "No standby confirms."],
    ["not ready", "connect ECONNREFUSED 10.0.0.1:5432"],
    ["not ready for writes", "connect ECONNREFUSED 10.0.0.1:5432"],
  ]);
});
