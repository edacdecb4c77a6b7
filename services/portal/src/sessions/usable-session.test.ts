import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { elevate, endElevation } from "@keelson/admin-actions";
import { ManualClock } from "@keelson/base/testing";
import { openStore } from "@keelson/cluster/testing";
import { replace } from "@keelson/database";
import type { ServiceDatabase } from "@keelson/model";
import { sessionIdOf } from "@keelson/portal-sessions";
import { openSessionOn } from "../testing/open-session-on.ts";
import { storeCluster } from "../testing/store-cluster.ts";
import { findUsableSession } from "./usable-session.ts";

const minuteMs = 60_000;
const signal = AbortSignal.timeout(900_000);
const person = { subject: "tenant/ada", username: "ada@example.com", reason: "incident 7", minutes: 30 };
let database: ServiceDatabase;
let clock: ManualClock;

before(async () => {
  database = await openStore();
});
beforeEach(async () => {
  clock = new ManualClock(new Date());
  await endElevation(database, person.subject, signal);
});
after(() => database[Symbol.asyncDispose]());

const renew = () => elevate({ database, clock }, person, signal);
const expiryOf = async (id: string) =>
  (await findUsableSession({ database, clock }, id, signal))?.elevatedUntil;

/** Elevates the person and opens a session that needs this elevation. Returns the session's ID. */
async function openElevated(): Promise<string> {
  const { from } = await renew();
  const portal = { username: person.username, kubeconfig: { elevated: true } };
  const terms = { portal, elevation: { of: person.subject, from } };
  return sessionIdOf(await openSessionOn(database, await storeCluster(database), terms, clock));
}

test("a session is usable after its elevation was renewed before the end", async () => {
  const id = await openElevated();
  await clock.advance(29 * minuteMs);
  const { until } = await renew();
  await clock.advance(29 * minuteMs);
  assert.equal((await expiryOf(id))?.toISOString(), until);
});

const ends: readonly (readonly [name: string, end: () => Promise<void>])[] = [
  ["ended by its person", () => endElevation(database, person.subject, signal)],
  ["left to expire", () => clock.advance(30 * minuteMs)],
];
for (const [name, end] of ends)
  test(`a later elevation does not revive a session with an elevation that was ${name}`, async () => {
    const id = await openElevated();
    assert.ok(await expiryOf(id));
    await clock.advance(1);
    await end();
    assert.equal(await findUsableSession({ database, clock }, id, signal), undefined);
    await renew();
    assert.equal(await findUsableSession({ database, clock }, id, signal), undefined);
    assert.ok(await expiryOf(await openElevated()));
  });

test("a session without the start of the elevation that it needs is not usable", async () => {
  const id = await openElevated();
  const { portalSessions } = database.collections;
  const stored = await portalSessions.find(id, id, signal);
  assert.ok(stored);
  const { elevationFrom, ...older } = stored.document;
  assert.ok(elevationFrom);
  const { kind } = await database.commit(id, [replace(portalSessions, stored, older)], { signal });
  assert.equal(kind, "committed");
  assert.equal(await findUsableSession({ database, clock }, id, signal), undefined);
});
