import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@keelson/base/testing";
import { untilConnected } from "./until-connected.ts";

const { signal } = new AbortController();
const refused = () => Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });

/** Runs an action that fails once with each of the given errors and then succeeds. */
async function run(errors: readonly Error[], reconnectMs = 60_000) {
  const clock = new ManualClock();
  const left = [...errors];
  let calls = 0;
  const result = untilConnected(
    async () => {
      calls++;
      const error = left.shift();
      if (error) throw error;
      return "connected";
    },
    { reconnectMs, signal, clock },
  );
  let ended = false;
  const settled = result.finally(() => {
    ended = true;
  });
  settled.catch(() => undefined);
  while (!ended) await clock.advance(500);
  return { calls, result };
}

test("refused connections are repeated, also as the cause of an error", async () => {
  const { calls, result } = await run([refused(), new Error("no response", { cause: refused() })]);
  assert.deepEqual([calls, await result], [3, "connected"]);
});

test("other errors are not repeated", async () => {
  const { calls, result } = await run([new Error("403")]);
  await assert.rejects(result, /403/);
  assert.equal(calls, 1);
});

test("a service that does not return in time is an error", async () => {
  const { result } = await run(Array.from({ length: 100 }, refused), 2_000);
  await assert.rejects(result, /ECONNREFUSED/);
});
