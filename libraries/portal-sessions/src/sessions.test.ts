import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { systemClock } from "@keelson/base";
import { openStore } from "@keelson/cluster/testing";
import type { ServiceDatabase } from "@keelson/model";
import { sessionIdOf } from "./session-token.ts";
import { endSession, listSessions, openSession } from "./sessions.ts";

const signal = AbortSignal.timeout(900_000);
let database: ServiceDatabase;
before(async () => {
  database = await openStore();
});
after(() => database[Symbol.asyncDispose]());

const newClusterKey = () =>
  `/subscriptions/${randomUUID()}/resourcegroups/g/providers/microsoft.redhatopenshift/openshiftclusters/c`;
const open = (id: string, username = "ada@example.com") =>
  openSession(
    database,
    { portal: { username, id, kubeconfig: { elevated: false } }, ttlSeconds: 60 },
    { clock: systemClock, signal },
  );

test("sessions are listed by cluster, without what would open them", async () => {
  const [cluster, other] = [newClusterKey(), newClusterKey()];
  const token = await open(cluster);
  await open(other);
  const sessions = await listSessions(database, cluster, signal);
  assert.deepEqual(
    sessions.map(({ id }) => id),
    [sessionIdOf(token)],
  );
  assert.ok(!JSON.stringify(sessions).includes(token));
});

test("a session ends once, and only as one of its own cluster", async () => {
  const [cluster, other] = [newClusterKey(), newClusterKey()];
  const id = sessionIdOf(await open(cluster));
  assert.equal(await endSession(database, other, id, signal), false);
  assert.equal(await endSession(database, cluster, id, signal), true);
  assert.equal(await endSession(database, cluster, id, signal), false);
  assert.deepEqual(await listSessions(database, cluster, signal), []);
});
