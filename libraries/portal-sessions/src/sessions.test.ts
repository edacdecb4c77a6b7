import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { systemClock } from "@keelson/base";
import { newCluster } from "@keelson/cluster/testing";
import { create, remove, replace } from "@keelson/database";
import { type ClusterDocument, clusterKeys, type ServiceDatabase } from "@keelson/model";
import { findOpenSession } from "./find-open-session.ts";
import { personKey, signInKey } from "./generation.ts";
import { sessionIdOf } from "./session-token.ts";
import { endSession, listSessions, openSession, type SessionTerms } from "./sessions.ts";
import { databases } from "./testing/databases.ts";

const signal = AbortSignal.timeout(900_000);
const subscriptionId = "33333333-3333-4333-8333-333333333333";
let database: ServiceDatabase;

async function storeCluster(name: string = randomUUID(), createdAt = ""): Promise<ClusterDocument> {
  const made = newCluster({ name, subscriptionId, state: "Succeeded" });
  const openShiftCluster = { ...made, properties: { ...made.properties, createdAt } };
  const keys = clusterKeys(openShiftCluster);
  const document = { ...keys, id: randomUUID(), partitionKey: subscriptionId, bucket: 0, openShiftCluster };
  const { kind } = await database.commit(subscriptionId, [create(database.collections.clusters, document)], {
    signal,
  });
  assert.equal(kind, "committed");
  return document;
}

async function deleteCluster({ id }: ClusterDocument): Promise<void> {
  const { clusters } = database.collections;
  const stored = await clusters.find(subscriptionId, id, signal);
  assert.ok(stored);
  await database.commit(subscriptionId, [remove(clusters, stored)], { signal });
}

/** Writes a sign-out document in the same form as the portal. */
async function signOut(key: string, fields: { readonly generation?: number; readonly before?: string } = {}) {
  const { portalSignOuts } = database.collections;
  const document = { id: key, partitionKey: key, before: new Date().toISOString(), ...fields };
  const stored = await portalSignOuts.find(key, key, signal);
  const write = stored ? replace(portalSignOuts, stored, document) : create(portalSignOuts, document);
  assert.equal((await database.commit(key, [write], { signal })).kind, "committed");
}

const newPerson = () => `${randomUUID()}@example.com`;

/** Opens a session and returns its ID. */
async function open(
  cluster: ClusterDocument,
  username = newPerson(),
  terms: Partial<SessionTerms> = {},
): Promise<string> {
  const portal = { username, kubeconfig: { elevated: false } };
  const all = { cluster, portal, ttlSeconds: 21_600, ...terms };
  return sessionIdOf(await openSession(database, all, { clock: systemClock, signal }));
}

const isOpen = async (id: string) => (await findOpenSession(database, id, signal)) !== undefined;
const idsOf = async (of: Parameters<typeof listSessions>[1]) =>
  (await listSessions(database, of, signal)).map(({ document }) => document.id).toSorted();

for (const [kind, openIn] of Object.entries(databases))
  describe(`sessions on ${kind}`, () => {
    const stack = new AsyncDisposableStack();
    before(async () => {
      database = await openIn(stack);
    });
    after(() => stack.disposeAsync());
    defineTests();
  });

function defineTests(): void {
  test("sessions are listed by cluster and by person in any letter case, without their tokens", async () => {
    const [cluster, other] = [await storeCluster(), await storeCluster()];
    const person = newPerson();
    const portal = { username: person, kubeconfig: { elevated: false } };
    const terms = { cluster, portal, ttlSeconds: 21_600 };
    const token = await openSession(database, terms, { clock: systemClock, signal });
    const elsewhere = await open(other, person);
    assert.deepEqual(await idsOf({ cluster: cluster.key }), [sessionIdOf(token)]);
    assert.deepEqual(
      await idsOf({ person: person.toUpperCase() }),
      [sessionIdOf(token), elsewhere].toSorted(),
    );
    const listed = await listSessions(database, { cluster: cluster.key }, signal);
    assert.ok(!JSON.stringify(listed.map(({ document }) => document)).includes(token));
  });

  test("a session ends once, and only if its caller may end it", async () => {
    const cluster = await storeCluster();
    const id = await open(cluster);
    assert.equal(await endSession(database, id, () => false, signal), false);
    assert.equal(await endSession(database, id, () => true, signal), true);
    assert.equal(await endSession(database, id, () => true, signal), false);
    assert.deepEqual(await idsOf({ cluster: cluster.key }), []);
  });

  test("the commit that deletes a cluster ends its sessions, also for the next cluster of the name", async () => {
    const first = await storeCluster("again");
    const id = await open(first);
    assert.ok(await isOpen(id));
    await deleteCluster(first);
    assert.equal(await isOpen(id), false);
    const second = await storeCluster("again");
    assert.equal(second.key, first.key);
    assert.equal(await isOpen(id), false);
    assert.deepEqual(await idsOf({ cluster: second.key }), []);
    const next = await open(second);
    assert.deepEqual(await idsOf({ cluster: second.key }), [next]);
  });

  test("the end of a sign-in ends the sessions that it opened, and no others", async () => {
    const cluster = await storeCluster();
    const person = newPerson();
    const of = (signInId: string) =>
      open(cluster, person, { signIn: { signIn: signInKey(signInId), generation: 0 } });
    const [one, two, three] = [await of("one"), await of("one"), await of("two")];
    await signOut(signInKey("one"));
    assert.deepEqual([await isOpen(one), await isOpen(two), await isOpen(three)], [false, false, true]);
    assert.deepEqual(await idsOf({ person }), [three]);
  });

  test("the end of all sign-ins ends all sessions of the person, those of the admin API too", async () => {
    const cluster = await storeCluster();
    const person = newPerson();
    const before = [
      await open(cluster, person),
      await open(cluster, person, { signIn: { signIn: signInKey(randomUUID()), generation: 0 } }),
    ];
    const other = await open(cluster);
    await signOut(personKey(person), { generation: 1 });
    assert.deepEqual(await Promise.all(before.map(isOpen)), [false, false]);
    assert.ok(await isOpen(other));
    // This session was stored after the sign-out of all sessions. Its sign-in had been checked before that sign-out.
    const late = await open(cluster, person, { signIn: { signIn: signInKey("late"), generation: 0 } });
    assert.equal(await isOpen(late), false);
    assert.ok(await isOpen(await open(cluster, person)));
  });

  for (const [name, change, expected] of [
    ["made well after the cluster", { createdAt: "2026-11-20T11:00:00Z" }, true],
    ["made before the cluster", { createdAt: "2026-11-20T09:00:00Z" }, false],
    ["without a time", {}, false],
  ] as const)
    test(`a session of an older release ${name} is ${expected ? "open" : "refused"}`, async () => {
      const cluster = await storeCluster(randomUUID(), "2026-11-20T10:00:00Z");
      const id = sessionIdOf(randomUUID());
      const portal = { username: newPerson(), id: cluster.key, kubeconfig: { elevated: false } };
      const document = { id, partitionKey: id, ttlSeconds: 21_600, portal, ...change };
      await database.commit(id, [create(database.collections.portalSessions, document)], { signal });
      assert.equal(await isOpen(id), expected);
      // Sign-out documents of an older release contain a time. The first document has a time before the start of the session, the
      // second document a time after it.
      await signOut(personKey(portal.username), { before: "2026-11-20T10:30:00Z" });
      assert.equal(await isOpen(id), expected);
      await signOut(personKey(portal.username), { before: "2026-11-20T12:00:00Z" });
      assert.equal(await isOpen(id), false);
    });
}
