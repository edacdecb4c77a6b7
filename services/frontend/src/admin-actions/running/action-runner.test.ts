import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, beforeEach, describe, test } from "node:test";
import type { AdminAction } from "@keelson/admin-actions";
import type { ProvisioningState } from "@keelson/arm";
import { type Clock, Metrics, silentLogger, systemClock } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { newCluster, openStore } from "@keelson/cluster/testing";
import { create, errors, type Lease, remove, replace } from "@keelson/database";
import { type ClusterDocument, clusterKeys, type ServiceDatabase } from "@keelson/model";
import { countedConnections, Gate, testAction } from "../../testing/actions.ts";
import { openRecord } from "./action-request.ts";
import { ActionRunner } from "./action-runner.ts";

const signal = AbortSignal.timeout(10 * 60_000);
const { connectCluster } = countedConnections();
const leaseMs = 600_000;

let database: ServiceDatabase;
let document: ClusterDocument;
before(async () => {
  database = await openStore();
});
beforeEach(async () => {
  const cluster = newCluster({ name: `c${randomUUID().slice(0, 8)}`, state: "Succeeded" });
  const partitionKey = cluster.id.split("/")[2] ?? "";
  document = {
    ...clusterKeys(cluster),
    id: randomUUID(),
    partitionKey,
    bucket: 0,
    openShiftCluster: cluster,
  };
  await database.commit(partitionKey, [create(database.collections.clusters, document)], { signal });
});
after(() => database[Symbol.asyncDispose]());

function startProcess(
  actions: readonly AdminAction[],
  shared: ServiceDatabase = database,
  clock: Clock = systemClock,
  turnMs = 0,
) {
  const runner = new ActionRunner({
    database: shared,
    connectCluster,
    actions,
    clock,
    logger: silentLogger,
    metrics: new Metrics(),
    leaseMs,
    heartbeatMs: 10,
    pollMs: 10,
    turnMs,
  });
  const stop = new AbortController();
  return {
    runner,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await runner.drain(stop.signal);
    },
  };
}

/** Starts a process with a stopped clock, so that it never renews its leases. `die` makes its leases expire. */
function startMortal() {
  const { clusters, adminActions } = database.collections;
  const leases: Lease[] = [];
  const clusterLeases: Lease[] = [];
  const watched: ServiceDatabase = {
    ...database,
    collections: {
      ...database.collections,
      clusters: {
        ...clusters,
        async acquireIdleById(options) {
          const leased = await clusters.acquireIdleById(options);
          if (leased) clusterLeases.push(leased.lease);
          return leased;
        },
      },
    },
    async commit(partitionKey, writes, options) {
      const result = await database.commit(partitionKey, writes, options);
      if (result.kind === "committed") leases.push(...(result.leases ?? []));
      return result;
    },
  };
  return {
    ...startProcess([], watched, new ManualClock(new Date())),
    async die() {
      for (const lease of leases) await adminActions.renew(lease, 1, signal);
      for (const lease of clusterLeases) await clusters.renew(lease, 1, signal);
    },
  };
}

const requestOf = (action: AdminAction, name = "x") => ({
  action,
  parameters: { name },
  document,
  requestId: randomUUID(),
  caller: "ada",
  correlationId: undefined,
});

async function stored(id: string) {
  const found = await database.collections.adminActions.find(document.partitionKey, id, signal);
  assert.ok(found, "the action is stored");
  return { ...found.document, ...openRecord(found.document), stored: found.document };
}

async function ended(id: string) {
  const limit = AbortSignal.timeout(900_000);
  for (;;) {
    const action = await stored(id);
    if (action.state !== "Running") return action;
    limit.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const resumable = { long: { limitMs: 600_000, resumable: true } };

/** Creates an action with two steps. The action waits at the gate between the steps, and adds the executed steps to `ran`. */
function twoSteps(ran: string[], gate: Gate): AdminAction {
  return testAction(
    "work",
    async (context, { name }, journal) => {
      const first = await journal.step("first", async () => {
        ran.push("first");
        return { found: `${name}1` };
      });
      await gate.pass(context.signal);
      ran.push("second");
      return { status: 200, body: first };
    },
    resumable,
  );
}

describe("when a process dies", () => {
  test("a second process resumes a resumable action after its completed steps", async () => {
    const ran: string[] = [];
    const [never, open] = [new Gate(), new Gate()];
    open.open();
    await using dead = startMortal();
    const action = twoSteps(ran, never);
    const run = await dead.runner.begin(requestOf(action), signal);
    const first = dead.runner.runDetached(run, requestOf(action)).catch((error: unknown) => error);
    await never.entered;
    await dead.die();
    await using other = startProcess([twoSteps(ran, open)]);
    other.runner.start();
    const { state, result, caller, lockKey } = await ended(run.document.id);
    assert.deepEqual([state, result, caller, lockKey], ["Succeeded", { found: "x1" }, "ada", undefined]);
    assert.deepEqual(ran, ["first", "second"]);
    // The dead process resumes, and its writes are rejected.
    never.open();
    await first;
    assert.equal((await stored(run.document.id)).state, "Succeeded");
  });

  test("an action that cannot be repeated ends as interrupted, and the cluster is free", async () => {
    const never = new Gate();
    const action = testAction("once", async (context) => {
      await never.pass(context.signal);
      return { status: 200 };
    });
    await using dead = startMortal();
    const run = await dead.runner.begin(requestOf(action), signal);
    await dead.die();
    await using other = startProcess([action]);
    other.runner.start();
    const { state, error, endedAt } = await ended(run.document.id);
    assert.deepEqual([state, error?.code, endedAt !== undefined], ["Interrupted", "Interrupted", true]);
    const next = await other.runner.begin(requestOf(action), signal);
    await next.end("Succeeded", new Date(), {});
    await next[Symbol.asyncDispose]();
    await run[Symbol.asyncDispose]();
  });

  test("an action of a deleted cluster ends as interrupted", async () => {
    const action = twoSteps([], new Gate());
    await using dead = startMortal();
    const run = await dead.runner.begin(requestOf(action), signal);
    const { clusters } = database.collections;
    const cluster = await clusters.find(document.partitionKey, document.id, signal);
    assert.ok(cluster);
    await database.commit(document.partitionKey, [remove(clusters, cluster)], { signal });
    await dead.die();
    await using other = startProcess([action]);
    other.runner.start();
    const { state, error } = await ended(run.document.id);
    assert.deepEqual([state, error?.message], ["Interrupted", "The cluster is gone."]);
    await run[Symbol.asyncDispose]();
  });

  test("an action of a deleted cluster does not resume on a new cluster of the same name", async () => {
    const ran: string[] = [];
    const [never, open] = [new Gate(), new Gate()];
    open.open();
    await using dead = startMortal();
    const action = twoSteps(ran, never);
    const run = await dead.runner.begin(requestOf(action), signal);
    const { clusters } = database.collections;
    const earlier = await clusters.find(document.partitionKey, document.id, signal);
    assert.ok(earlier);
    await database.commit(document.partitionKey, [remove(clusters, earlier)], { signal });
    const later = { ...document, id: randomUUID() };
    await database.commit(document.partitionKey, [create(clusters, later)], { signal });
    await dead.die();
    await using other = startProcess([twoSteps(ran, open)]);
    other.runner.start();
    const { state, error } = await ended(run.document.id);
    assert.deepEqual([state, error?.message, ran], ["Interrupted", "The cluster is gone.", []]);
    never.open();
    await run[Symbol.asyncDispose]();
  });

  test("only one of many processes resumes the action", async () => {
    const ran: string[] = [];
    const open = new Gate();
    open.open();
    const action = twoSteps(ran, open);
    await using dead = startMortal();
    const run = await dead.runner.begin(requestOf(action), signal);
    await dead.die();
    await using others = new AsyncDisposableStack();
    for (let index = 0; index < 5; index++) others.use(startProcess([action])).runner.start();
    assert.equal((await ended(run.document.id)).state, "Succeeded");
    assert.deepEqual(ran, ["first", "second"]);
    await run[Symbol.asyncDispose]();
  });
});

describe("when a process stops", () => {
  test("it hands a resumable action over immediately", async () => {
    const ran: string[] = [];
    const [never, open] = [new Gate(), new Gate()];
    open.open();
    const stopping = startProcess([]);
    const action = twoSteps(ran, never);
    const run = await stopping.runner.begin(requestOf(action), signal);
    const response = stopping.runner.runDetached(run, requestOf(action));
    const refused = assert.rejects(response, /different process resumes/);
    await never.entered;
    await stopping[Symbol.asyncDispose]();
    await refused;
    assert.equal((await stored(run.document.id)).state, "Running");
    await using other = startProcess([twoSteps(ran, open)]);
    other.runner.start();
    assert.equal((await ended(run.document.id)).state, "Succeeded");
    assert.deepEqual(ran, ["first", "second"]);
  });

  test("it waits for other actions, and interrupts them at its time limit", async () => {
    const [gate, never] = [new Gate(), new Gate()];
    const waiting = (suffix: string, at: Gate) =>
      testAction(
        suffix,
        async (context) => {
          await at.pass(context.signal);
          return { status: 200 };
        },
        { long: { limitMs: 600_000 } },
      );
    const stopping = startProcess([]);
    const [quick, slow] = [waiting("quick", gate), waiting("slow", never)];
    const time = new AbortController();
    const run = await stopping.runner.begin(requestOf(quick), signal);
    const response = stopping.runner.runDetached(run, requestOf(quick));
    await gate.entered;
    const drained = stopping.runner.drain(time.signal);
    gate.open();
    assert.equal((await response).status, 200);
    await drained;
    assert.equal((await stored(run.document.id)).state, "Succeeded");
    const late = startProcess([]);
    const lateRun = await late.runner.begin(requestOf(slow), signal);
    const lost = assert.rejects(late.runner.runDetached(lateRun, requestOf(slow)));
    await never.entered;
    const over = late.runner.drain(time.signal);
    time.abort();
    await Promise.all([over, lost]);
    const { state, error } = await stored(lateRun.document.id);
    assert.deepEqual([state, error?.code], ["Interrupted", "ServiceUnavailable"]);
  });
});

test("exactly one of 20 concurrent callers acquires a cluster", async () => {
  const action = testAction("once", async () => ({ status: 200 }));
  await using one = startProcess([]);
  await using two = startProcess([]);
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) => [one, two][index % 2]?.runner.begin(requestOf(action), signal)),
  );
  const runs = results.flatMap((each) => (each.status === "fulfilled" && each.value ? [each.value] : []));
  assert.equal(runs.length, 1);
  assert.deepEqual(
    results.flatMap((each) => (each.status === "rejected" ? [each.reason.body.code] : [])),
    Array.from({ length: 19 }, () => "Conflict"),
  );
  for (const run of runs) {
    await run.end("Succeeded", new Date(), {});
    await run[Symbol.asyncDispose]();
  }
});

/** Returns a database view that loses the responses of some commits. `lost` contains their numbers. */
function withLostResponses(lost: ReadonlySet<number>): ServiceDatabase {
  let committed = 0;
  return {
    ...database,
    async commit(partitionKey, writes, options) {
      const result = await database.commit(partitionKey, writes, options);
      if (result.kind === "committed" && lost.has(++committed))
        throw errors.StoreUnavailable("the answer is lost");
      return result;
    },
  };
}

describe("when responses of the database are lost", () => {
  test("every write happens once, and no other process repeats the action", async () => {
    const ran: string[] = [];
    const open = new Gate();
    open.open();
    // The lost responses belong to the commits that store the start, the result of the first step, and the end.
    await using one = startProcess([], withLostResponses(new Set([1, 4, 6])));
    const action = twoSteps(ran, open);
    const run = await one.runner.begin(requestOf(action), signal);
    const response = await one.runner.runDetached(run, requestOf(action));
    assert.deepEqual(response, { status: 200, body: { found: "x1" } });
    const { state, steps, lockKey } = await stored(run.document.id);
    assert.deepEqual([state, steps, lockKey], ["Succeeded", { first: { found: "x1" } }, undefined]);
    assert.deepEqual(ran, ["first", "second"]);
    const { items } = await database.collections.adminActions.list(
      { partitionKey: document.partitionKey, limit: 1_000 },
      signal,
    );
    assert.equal(items.filter((each) => each.document.openShiftClusterKey === document.key).length, 1);
    // No action remains to be resumed, and the cluster is free.
    const options = { owner: "other", ttlMs: leaseMs, limit: 10, signal };
    assert.deepEqual(await database.collections.adminActions.acquire(options), []);
    const free = await takeResting();
    assert.ok(free);
    await database.collections.clusters.release(free.lease, { backoffMs: 0, signal });
  });

  test("a concurrent write of the document, such as resealing, does not end the action", async () => {
    const open = new Gate();
    await using one = startProcess([]);
    const action = twoSteps([], open);
    const run = await one.runner.begin(requestOf(action), signal);
    const response = one.runner.runDetached(run, requestOf(action));
    await open.entered;
    const { adminActions } = database.collections;
    const read = await adminActions.find(document.partitionKey, run.document.id, signal);
    assert.ok(read);
    await database.commit(document.partitionKey, [replace(adminActions, read, read.document)], { signal });
    open.open();
    assert.equal((await response).status, 200);
    assert.equal((await stored(run.document.id)).state, "Succeeded");
  });
});

const takeResting = () =>
  database.collections.clusters.acquireIdleById({
    partitionKey: document.partitionKey,
    id: document.id,
    owner: "other",
    ttlMs: leaseMs,
    signal,
  });

async function writeState(provisioningState: ProvisioningState): Promise<void> {
  const { clusters } = database.collections;
  const read = await clusters.find(document.partitionKey, document.id, signal);
  assert.ok(read);
  const { openShiftCluster } = read.document;
  const properties = { ...openShiftCluster.properties, provisioningState };
  const changed = { ...read.document, openShiftCluster: { ...openShiftCluster, properties } };
  const { kind } = await database.commit(document.partitionKey, [replace(clusters, read, changed)], {
    signal,
  });
  assert.equal(kind, "committed");
}

describe("a cluster is changed by one action at a time", () => {
  test("a requested deletion waits for the action, and actions wait for the deletion", async () => {
    const gate = new Gate();
    const action = testAction("resize", async (context) => {
      await gate.pass(context.signal);
      return { status: 200 };
    });
    await using one = startProcess([]);
    await using two = startProcess([]);
    const run = await one.runner.begin(requestOf(action), signal);
    const response = one.runner.runDetached(run, requestOf(action));
    await gate.entered;
    await writeState("Deleting");
    const worker = { owner: "worker", ttlMs: leaseMs, limit: 1_000, signal };
    const { clusters } = database.collections;
    const ofThis = async () =>
      (await clusters.acquire(worker)).filter((each) => each.document.id === document.id).length;
    assert.equal(await ofThis(), 0);
    await assert.rejects(
      two.runner.begin(requestOf(action), signal),
      /Action 'resize' .* is changing this cluster/,
    );
    gate.open();
    await response;
    await assert.rejects(two.runner.begin(requestOf(action), signal), /provisioningState 'Deleting'/);
    assert.equal(await ofThis(), 1);
  });

  test("actions and maintenance of a cluster exclude each other", async () => {
    const action = testAction("once", async () => ({ status: 200 }));
    await using one = startProcess([]);
    const maintenance = await takeResting();
    assert.ok(maintenance);
    await assert.rejects(one.runner.begin(requestOf(action), signal), {
      message: "Another action, or maintenance, is changing this cluster. Try again when it has ended.",
    });
    await database.collections.clusters.release(maintenance.lease, { backoffMs: 0, signal });
    const run = await one.runner.begin(requestOf(action), signal);
    assert.equal(await takeResting(), undefined);
    await one.runner.run(run, requestOf(action), signal);
    assert.ok(await takeResting());
  });

  test("an action that lost the cluster ends as interrupted", async () => {
    const never = new Gate();
    const action = testAction("wait", async (context) => {
      await never.pass(context.signal);
      return { status: 200 };
    });
    const { clusters } = database.collections;
    const taken: Lease[] = [];
    const watched: ServiceDatabase = {
      ...database,
      collections: {
        ...database.collections,
        clusters: {
          ...clusters,
          async acquireIdleById(options) {
            const leased = await clusters.acquireIdleById(options);
            if (leased) taken.push(leased.lease);
            return leased;
          },
        },
      },
    };
    await using one = startProcess([], watched);
    const run = await one.runner.begin(requestOf(action), signal);
    const response = assert.rejects(one.runner.runDetached(run, requestOf(action)), { code: "LeaseLost" });
    await never.entered;
    const [lease] = taken;
    assert.ok(lease);
    await clusters.release(lease, { backoffMs: 0, signal });
    await response;
    assert.equal((await ended(run.document.id)).state, "Interrupted");
  });

  test("three concurrent short actions run in turn, also from several processes", async () => {
    let [running, most] = [0, 0];
    const action = testAction("exec", async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 20));
      running--;
      return { status: 200 };
    });
    await using one = startProcess([], database, systemClock, 120_000);
    await using two = startProcess([], database, systemClock, 120_000);
    const responses = await Promise.all(
      [one, two, one].map(async ({ runner }) => {
        const run = await runner.begin(requestOf(action), signal);
        return runner.run(run, requestOf(action), signal);
      }),
    );
    assert.deepEqual(responses, [{ status: 200 }, { status: 200 }, { status: 200 }]);
    assert.equal(most, 1);
  });
});

test("the steps and the result of an action are stored sealed", async () => {
  const action = testAction("print", async () => ({
    status: 200,
    text: ["the password is p4ssword\n"],
    body: { token: "t0ken" },
  }));
  await using one = startProcess([]);
  const run = await one.runner.begin(requestOf(action), signal);
  await one.runner.runDetached(run, requestOf(action));
  const { stored: document, progress, result } = await stored(run.document.id);
  assert.deepEqual([progress, result], [["the password is p4ssword"], { token: "t0ken" }]);
  assert.doesNotMatch(JSON.stringify(document), /p4ssword|t0ken/);
});

test("progress keeps the newest lines", async () => {
  const action = testAction(
    "chatty",
    async (_context, _parameters, journal) => {
      for (let line = 0; line < 500; line++) journal.report(`line ${line} ${"x".repeat(2_000)}`);
      return { status: 200 };
    },
    { long: { limitMs: 600_000 } },
  );
  await using one = startProcess([]);
  const run = await one.runner.begin(requestOf(action), signal);
  await one.runner.runDetached(run, requestOf(action));
  const { progress } = await stored(run.document.id);
  assert.deepEqual(
    [progress.length, progress.at(-1)?.slice(0, 9), progress[0]?.length],
    [200, "line 499 ", 1_000],
  );
});
