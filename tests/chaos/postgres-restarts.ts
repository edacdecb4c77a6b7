import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { isCoded, Secret, silentLogger } from "@keelson/base";
import {
  create,
  createKeyring,
  type Database,
  defineCollection,
  generateKey,
  openDatabase,
  postgresDriver,
  replace,
} from "@keelson/database";
import { startPostgres } from "@keelson/database/testing";

/** Test document. A writer sets `wanted`. A worker copies it to `done`. */
interface Cluster {
  readonly id: string;
  readonly partitionKey: string;
  readonly key: string;
  readonly wanted: number;
  readonly done: number;
  readonly secret: Secret;
}

interface Operation {
  readonly id: string;
  readonly partitionKey: string;
  readonly openShiftClusterKey: string;
  readonly wanted: number;
  readonly status: "Updating" | "Succeeded";
}

const definitions = {
  clusters: {
    ...defineCollection<Cluster>({
      name: "openshift_clusters",
      keys: { key: ({ key }) => key },
      unique: ["key"],
      secretPaths: ["secret"],
    }),
    queued: ({ wanted, done }: Cluster) => done < wanted,
  },
  operations: defineCollection<Operation>({
    name: "async_operations",
    keys: { openShiftClusterKey: ({ openShiftClusterKey }) => openShiftClusterKey },
    unique: [],
    secretPaths: [],
    ttlSeconds: 86_400,
  }),
};
type Store = Database<typeof definitions>;

export interface RestartOptions {
  /** Number of writers. Each has its own cluster. */
  readonly writers: number;
  readonly workers: number;
  /** Kinds of PostgreSQL restarts, in order. */
  readonly restarts: readonly ("fast" | "immediate" | "kill")[];
  /** Milliseconds between two restarts, measured from the first successful request after a restart. */
  readonly everyMs: number;
  readonly report: (line: string) => void;
  readonly signal: AbortSignal;
}

export interface RestartResult {
  readonly acknowledged: number;
  /** Number of commits with an unknown result. */
  readonly unknown: number;
  readonly leases: number;
}

const partitionKey = "subscription";
/**
 * Lease duration in milliseconds. The duration is short so that leases expire during the test. In addition, documents become
 * available soon after an acquisition with a lost response.
 */
const leaseMs = 4_000;
/** Maximum milliseconds from the last write until all requested operations are complete. */
const patienceMs = 900_000;

/**
 * Restarts PostgreSQL while writers and workers run. Each writer and worker has a separate store, like a separate process.
 * @throws AssertionError if an acknowledged write is lost, two workers lease one document, a write succeeds with an expired
 * lease, or an operation never runs
 */
export async function survivePostgresRestarts(options: RestartOptions): Promise<RestartResult> {
  const { report, signal } = options;
  await using server = await startPostgres();
  const url = await server.createDatabase();
  const keyring = createKeyring({ current: "k", keys: { k: generateKey() } });
  const open = () =>
    openDatabase({ driver: postgresDriver({ url }), definitions, keyring, logger: silentLogger, signal });
  await using frontend = await open();
  await using backend = await open();
  const stop = { writers: false, workers: false };
  const counts = { acknowledged: 0, unknown: 0, leases: 0 };
  const run = { signal, stop, counts };
  const writing = Array.from({ length: options.writers }, (_, index) =>
    write(frontend, `cluster-${index}`, run),
  );
  const holders = new Map<string, Date>();
  const working = Array.from({ length: options.workers }, () => work(backend, holders, run));
  const everybody = Promise.all([...writing, ...working]);
  everybody.catch(() => undefined);

  for (const [index, how] of options.restarts.entries()) {
    await Promise.race([delay(options.everyMs, undefined, { signal }), everybody]);
    const { acknowledged } = counts;
    await server.restart(how);
    report(
      `restart ${index + 1} of ${options.restarts.length}, ${how}: ${acknowledged} commits acknowledged so far`,
    );
    while (counts.acknowledged === acknowledged)
      await Promise.race([delay(10, undefined, { signal }), everybody]);
  }
  stop.writers = true;
  const wanted = await Promise.all(writing);
  report("the writers have stopped; what they asked for is being done");
  const patienceEndsMs = performance.now() + patienceMs;
  while (performance.now() < patienceEndsMs && (await isWaiting(frontend, wanted, signal))) {
    await Promise.race([delay(20, undefined, { signal }), everybody]);
  }
  stop.workers = true;
  await everybody;
  await verify(frontend, wanted, signal);
  return counts;
}

interface Run {
  readonly signal: AbortSignal;
  readonly stop: { readonly writers: boolean; readonly workers: boolean };
  readonly counts: { acknowledged: number; unknown: number; leases: number };
}

/** Requests changes one after another, each with an operation. Resolves to the last acknowledged change. */
async function write(store: Store, id: string, run: Run): Promise<Pick<Cluster, "id" | "wanted">> {
  const { clusters, operations } = store.collections;
  const { signal, stop, counts } = run;
  let acknowledged = 0;
  let maybe = 0;
  while (!stop.writers) {
    const stored = await untilServed(() => clusters.find(partitionKey, id, signal), run);
    const found = stored?.document.wanted ?? 0;
    assert.ok(
      found === acknowledged || found === maybe,
      `${id} is at ${found}, acknowledged was ${acknowledged}`,
    );
    acknowledged = found;
    const wanted = found + 1;
    maybe = wanted;
    const first = { id, partitionKey, key: `/key/${id}`, done: 0, secret: new Secret(`of ${id}`) };
    const cluster: Cluster = { ...(stored?.document ?? first), wanted };
    const operation: Operation = {
      id: randomUUID(),
      partitionKey,
      openShiftClusterKey: cluster.key,
      wanted,
      status: "Updating",
    };
    const writes = [
      stored ? replace(clusters, stored, cluster) : create(clusters, cluster),
      create(operations, operation),
    ];
    const result = await unlessUnavailable(() => store.commit(partitionKey, writes, { signal }), run);
    if (result?.kind === "committed") {
      counts.acknowledged++;
      acknowledged = wanted;
    } else if (result) {
      // A worker changed the document first, so nothing was committed.
      assert.equal(result.kind, "conflict");
      maybe = acknowledged;
    }
    await delay(20 + Math.random() * 40, undefined, { signal });
  }
  const last = await untilServed(() => clusters.find(partitionKey, id, signal), run);
  const found = last?.document.wanted ?? 0;
  assert.ok(
    found === acknowledged || found === maybe,
    `${id} ended at ${found}, acknowledged was ${acknowledged}`,
  );
  return { id, wanted: found };
}

/** Leases clusters and copies the wanted state to `done`. `holders` contains the expiry time of each current lease. */
async function work(store: Store, holders: Map<string, Date>, run: Run): Promise<void> {
  const { clusters } = store.collections;
  const { signal, stop, counts } = run;
  const owner = randomUUID();
  const newest = new Map<string, number>();
  while (!stop.workers) {
    const acquired = await unlessUnavailable(
      () => clusters.acquire({ owner, ttlMs: leaseMs, limit: 1, signal }),
      run,
    );
    const [leased] = acquired ?? [];
    if (!leased) {
      await delay(20, undefined, { signal });
      continue;
    }
    counts.leases++;
    const { lease, document } = leased;
    const { id } = document;
    // All lease times come from the database's clock, so times of different leases are comparable.
    const acquiredMs = lease.expiresAt.getTime() - leaseMs;
    assert.ok((holders.get(id)?.getTime() ?? 0) <= acquiredMs, `${id} is in the hands of two workers`);
    assert.ok(lease.generation > (newest.get(id) ?? 0), `generations of ${id} rise`);
    assert.equal(document.secret.reveal(), `of ${id}`);
    holders.set(id, lease.expiresAt);
    newest.set(id, lease.generation);
    await delay(Math.random() * 20, undefined, { signal });
    const done = { ...document, done: document.wanted };
    holders.delete(id);
    const options = { lease, release: true, signal };
    const result = await unlessUnavailable(
      () => store.commit(partitionKey, [replace(clusters, leased, done)], options),
      run,
    );
    if (result?.kind === "committed") {
      const again = await unlessUnavailable(
        () => store.commit(partitionKey, [replace(clusters, leased, done)], { lease, signal }),
        run,
      );
      assert.ok(
        again === undefined || again.kind !== "committed",
        `a write to ${id} under a lease that had ended`,
      );
    } else {
      // Either a writer has changed the cluster, or the result of the commit is unknown. The release of the lease lets a worker
      // try again.
      await untilServed(() => clusters.release(lease, { backoffMs: 0, signal }), run);
    }
  }
}

/**
 * True if an operation is pending, or if the cluster has a lease that no worker knows about. Such a lease exists if the response
 * to the acquisition was lost.
 */
async function isWaiting(
  { collections: { clusters } }: Store,
  wanted: readonly Pick<Cluster, "id" | "wanted">[],
  signal: AbortSignal,
): Promise<boolean> {
  const stored = await Promise.all(wanted.map(({ id }) => clusters.find(partitionKey, id, signal)));
  return stored.some((each, index) => each?.document.done !== wanted[index]?.wanted);
}

async function verify(
  store: Store,
  wanted: readonly Pick<Cluster, "id" | "wanted">[],
  signal: AbortSignal,
): Promise<void> {
  const { clusters, operations } = store.collections;
  for (const each of wanted) {
    const stored = await clusters.find(partitionKey, each.id, signal);
    assert.equal(stored?.document.wanted, each.wanted);
    assert.equal(stored?.document.done, each.wanted, `what was asked of ${each.id} was never done`);
    const asked = new Set<number>();
    let continuation: string | undefined;
    do {
      const where = { openShiftClusterKey: `/key/${each.id}` };
      const page = await operations.list(
        { partitionKey, where, limit: 200, continuation: continuation || undefined },
        signal,
      );
      for (const { document } of page.items) asked.add(document.wanted);
      continuation = page.continuation;
    } while (continuation);
    const expected = Array.from({ length: each.wanted }, (_, index) => index + 1);
    assert.deepEqual(
      [...asked].sort((a, b) => a - b),
      expected,
      `operations of ${each.id} are those of its changes`,
    );
  }
}

/** Runs a store call. Returns undefined if its result is unknown because the database was unavailable. */
async function unlessUnavailable<T>(
  action: () => Promise<T>,
  { counts, signal }: Run,
): Promise<T | undefined> {
  try {
    return await action();
  } catch (error) {
    if (!isCoded(error, "StoreUnavailable")) throw error;
    counts.unknown++;
    await delay(50 + Math.random() * 100, undefined, { signal });
    return undefined;
  }
}

async function untilServed<T>(action: () => Promise<T>, { signal }: Run): Promise<T> {
  for (;;) {
    try {
      return await action();
    } catch (error) {
      if (!isCoded(error, "StoreUnavailable")) throw error;
      await delay(50 + Math.random() * 100, undefined, { signal });
    }
  }
}
