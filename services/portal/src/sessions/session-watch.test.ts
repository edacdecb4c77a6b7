import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { ManualClock } from "@keelson/base/testing";
import { openStore } from "@keelson/cluster/testing";
import type { ServiceDatabase } from "@keelson/model";
import { endSession, sessionIdOf } from "@keelson/portal-sessions";
import { openSessionOn } from "../testing/open-session-on.ts";
import { storeCluster } from "../testing/store-cluster.ts";
import { SessionWatch } from "./session-watch.ts";

const signal = AbortSignal.timeout(900_000);
let database: ServiceDatabase;
let clock: ManualClock;
let id: string;
/** True if the database must fail when it reads sessions. */
let isAway = false;
let reads = 0;

before(async () => {
  database = await openStore();
});
beforeEach(async () => {
  clock = new ManualClock(new Date());
  const portal = { username: "ada@example.com", kubeconfig: { elevated: true } };
  id = sessionIdOf(await openSessionOn(database, await storeCluster(database), { portal }));
  [isAway, reads] = [false, 0];
});
after(() => database[Symbol.asyncDispose]());

function newWatch(): SessionWatch {
  const { portalSessions } = database.collections;
  const counted: typeof portalSessions = {
    ...portalSessions,
    async find(...key) {
      reads++;
      if (isAway) throw new Error("the database is away");
      return portalSessions.find(...key);
    },
  };
  const collections = { ...database.collections, portalSessions: counted };
  return new SessionWatch({ database: { ...database, collections }, clock });
}

/**
 * Advances the clock by one check and waits for the result of the check. Either the session ends, or the next check is scheduled.
 */
async function check(ended: AbortSignal): Promise<void> {
  await clock.advance(5_000);
  while (!ended.aborted && clock.sleeping === 0) await turn();
}

test("every use of a session ends with a check after the session", async () => {
  const watch = newWatch();
  const [one, two] = [watch.begin(id, undefined), watch.begin(id, undefined)];
  assert.equal(watch.count(id), 2);
  await check(one.ended);
  assert.deepEqual([one.ended.aborted, two.ended.aborted], [false, false]);
  await endSession(database, id, () => true, signal);
  while (!one.ended.aborted) await check(one.ended);
  assert.deepEqual([one.ended.aborted, two.ended.aborted], [true, true]);
  assert.equal(watch.count(id), 0);
  for (const { release } of [one, two]) release();
  assert.equal(watch.count(id), 0);
});

test("a session without uses is not read", async () => {
  const watch = newWatch();
  watch.begin(id, undefined).release();
  await clock.advance(60_000);
  assert.deepEqual([reads, watch.count(id)], [0, 0]);
});

test("a database that is away for less than a minute ends no session, and for longer it does", async () => {
  const watch = newWatch();
  const { ended, release } = watch.begin(id, undefined);
  isAway = true;
  for (let at = 0; at < 11; at++) await check(ended);
  assert.equal(ended.aborted, false);
  isAway = false;
  await check(ended);
  isAway = true;
  for (let at = 0; at < 11; at++) await check(ended);
  assert.equal(ended.aborted, false);
  await check(ended);
  assert.equal(ended.aborted, true);
  release();
});

test("a session ends at the expiry of its elevation although the database never responded", async () => {
  const watch = newWatch();
  isAway = true;
  const { ended, release } = watch.begin(id, new Date(clock.now().getTime() + 12_000));
  for (const isEnded of [false, false, true]) {
    await check(ended);
    assert.equal(ended.aborted, isEnded);
  }
  assert.equal(watch.count(id), 0);
  release();
});
