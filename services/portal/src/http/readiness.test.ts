import assert from "node:assert/strict";
import { test } from "node:test";
import { Metrics } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { openStore } from "@keelson/cluster/testing";
import { sharedPing } from "@keelson/http";
import { beat } from "./readiness.ts";

test("the heartbeat is sent every minute while the portal is ready, and not after its stop", async () => {
  await using database = await openStore();
  const clock = new ManualClock();
  const metrics = new Metrics();
  const sent: string[] = [];
  metrics.listen(({ metric, value }) => void sent.push(`${metric} ${value}`));
  let isStopping = false;
  const ended = new AbortController();
  const ping = sharedPing(database, clock);
  const beating = beat({ ping, isStopping: () => isStopping, metrics, clock }, ended.signal);
  await clock.advance(125_000);
  assert.deepEqual(sent, Array(3).fill("portal.heartbeat 1"));
  assert.match((await metrics.expose()).body, /^portal_heartbeat 1$/m);
  isStopping = true;
  await clock.advance(60_000);
  assert.equal(sent.length, 3);
  assert.doesNotMatch((await metrics.expose()).body, /^portal_heartbeat 1$/m);
  ended.abort();
  await beating;
});
