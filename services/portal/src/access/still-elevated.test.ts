import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "@keelson/base";
import { openStore } from "@keelson/cluster/testing";
import { listSessions, openSession } from "@keelson/portal-sessions";
import type { PortalContext } from "../http/portal-route.ts";
import { storeCluster, subscriptionId } from "../testing/store-cluster.ts";
import { checkStillElevated } from "./still-elevated.ts";

const signal = AbortSignal.timeout(900_000);

test("a session ends if the elevation of its person was ended during its creation", async () => {
  await using database = await openStore();
  const key = await storeCluster(database);
  const stored = await database.collections.clusters.findBy(subscriptionId, "key", key, signal);
  assert.ok(stored);
  const portal = { username: "ada", kubeconfig: { elevated: true } };
  const terms = { cluster: stored.document, portal, ttlSeconds: 600 };
  const context = { login: () => ({ username: "ada" }), signal } as PortalContext;
  const check = async (isElevated: boolean) => {
    const token = await openSession(database, terms, { clock: systemClock, signal });
    const elevations = { isCurrent: async () => isElevated };
    return checkStillElevated({ database, elevations }, context, token);
  };
  await check(true);
  await assert.rejects(check(false), { code: "Forbidden" });
  assert.equal((await listSessions(database, { person: "ada" }, signal)).length, 1);
});
