import assert from "node:assert/strict";
import { test } from "node:test";
import { CloudError } from "@keelson/arm";
import { type Clock, silentLogger, systemClock } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { until } from "@keelson/base/testing/eventually";
import {
  newCluster,
  openStore,
  operationEnd,
  putCluster,
  putSubscription,
  startWorld,
} from "@keelson/cluster/testing";
import type { Lease } from "@keelson/database";
import type { ServiceDatabase } from "@keelson/model";
import { startBackend } from "./backend.ts";

const signal = AbortSignal.timeout(900_000);
const leaseMs = 60_000;
const heartbeatMs = 10_000;

test("a worker leases a cluster for 60 seconds and renews every 10, and no other worker acquires it", async () => {
  await using world = await startWorld();
  await using database = await openStore();
  await putSubscription(database, world.subscriptionId);
  const clock = new ManualClock();
  const first = watched(database);
  const second = watched(database);
  let isRefused = false;
  const environment = {
    ...world.environment,
    // The step waits for permissions. Its clock is stopped, so the step waits until the test advances the clock.
    authorizationRetry: { everyMs: 24 * 3_600_000, forMs: 48 * 3_600_000 },
    connectAzureAs: (...args: Parameters<typeof world.environment.connectAzureAs>) => {
      if (isRefused) throw new CloudError("InvalidServicePrincipalPermissions", "refused");
      return world.environment.connectAzureAs(...args);
    },
  };
  const start = (watch: Watched, owner: string, time: Clock) =>
    startBackend({ database: watch.database, environment, clock: time, logger: silentLogger, owner });
  const queued = await putCluster(
    database,
    newCluster({ name: "held", subscriptionId: world.subscriptionId }),
  );
  await using holder = await start(first, "holder", clock);
  await until(() => first.acquired.length === 1);
  const [acquired] = first.acquired;
  assert.ok(acquired);
  assert.equal(acquired.attempt, 1);
  const leftMs = acquired.lease.expiresAt.getTime() - acquired.atMs;
  // Both times come from this machine. The tolerance covers the duration of the request.
  assert.ok(leftMs > leaseMs - 5_000 && leftMs <= leaseMs + 1_000, `${leftMs} ms are left`);

  await using _other = await start(second, "other", systemClock);
  let expiresMs = acquired.lease.expiresAt.getTime();
  for (let beat = 1; beat <= 12; beat++) {
    await clock.advance(heartbeatMs);
    await until(() => first.renewed.length >= beat);
    assert.equal(first.renewed.length, beat, "one renewal for each ten seconds");
    const renewed = first.renewed.at(-1);
    assert.ok(renewed && renewed.expiresAt.getTime() >= expiresMs);
    expiresMs = renewed.expiresAt.getTime();
  }
  // A notified worker reads the queue immediately.
  const looks = second.looks();
  await putCluster(database, newCluster({ name: "next", subscriptionId: world.subscriptionId }));
  await until(() => second.looks() > looks);
  assert.ok(second.acquired.every(({ id }) => id !== queued.id));
  assert.equal(first.acquired.filter(({ id }) => id === queued.id).length, 1);

  isRefused = true;
  await holder.drain(signal);
  assert.equal((await operationEnd(database, queued)).asyncOperation.status, "Failed");
});

interface Watched {
  readonly database: ServiceDatabase;
  readonly acquired: {
    readonly id: string;
    readonly lease: Lease;
    readonly attempt: number;
    readonly atMs: number;
  }[];
  readonly renewed: Lease[];
  looks(): number;
}

/** Wraps a database and records cluster leases. */
function watched(database: ServiceDatabase): Watched {
  const { clusters } = database.collections;
  const acquired: Watched["acquired"] = [];
  const renewed: Lease[] = [];
  let looks = 0;
  return {
    acquired,
    renewed,
    looks: () => looks,
    database: {
      ...database,
      collections: {
        ...database.collections,
        clusters: {
          ...clusters,
          async acquire(options) {
            const leased = await clusters.acquire(options);
            looks++;
            for (const { document, lease, attempt } of leased)
              acquired.push({ id: document.id, lease, attempt, atMs: Date.now() });
            return leased;
          },
          async renew(...args) {
            const result = await clusters.renew(...args);
            if (result.kind === "renewed") renewed.push(result.lease);
            return result;
          },
        },
      },
    },
  };
}
