/** Two monitors as processes on one PostgreSQL: no cluster is unvisited for long when one dies or hangs, and none is of both. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { WatchedFleet } from "./support/watched-fleet.ts";

const settings = { everyMs: 4_000, leaseMs: 6_000, heartbeatMs: 1_000 };
/** A lease runs out, another monitor's tick comes, and within a period it has visited what it got. */
const limitMs = settings.leaseMs + settings.heartbeatMs + settings.everyMs;
const count = 24;

/** Monitor `one`, which had all clusters, and `two`, which has taken half of them. */
async function sharedFleet() {
  await using stack = new AsyncDisposableStack();
  const fleet = stack.use(await WatchedFleet.start(count, settings));
  const one = await fleet.monitor("one");
  await fleet.until(() => fleet.firstVisits(0, "one").size === count, "all visited by the first monitor");
  const [id] = await fleet.owners();
  assert.ok(id);
  const two = await fleet.monitor("two");
  await fleet.until(() => fleet.firstVisits(0, "two").size === count / 2, "half visited by the second");
  const sharedMs = performance.now();
  await fleet.until(() => fleet.firstVisits(sharedMs).size === count, "all visited by the two");
  const kept = (await fleet.owners()).flatMap((owner, cluster) => (owner === id ? [cluster] : []));
  assert.equal(kept.length, count / 2);
  const owned = stack.move();
  return { fleet, one, two, id, kept, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Every cluster was visited in time from then on. The limit is what operators are promised, so it is asserted. */
function assertVisitedInTime(context: TestContext, fleet: WatchedFleet, fromMs: number, what: string): void {
  const visits = fleet.firstVisits(fromMs);
  assert.equal(visits.size, count);
  const lastMs = Math.round(Math.max(...visits.values()) - fromMs);
  context.diagnostic(`after ${what} all were visited within ${lastMs} ms of ${limitMs}`);
  assert.ok(lastMs <= limitMs, `after ${what} a cluster was not visited for ${lastMs} ms`);
}

test("what a killed monitor watched is visited within a lease, a tick and a period, and by one monitor at a time", {
  timeout: 180_000,
}, async (context) => {
  await using shared = await sharedFleet();
  const { fleet, one, two } = shared;
  await fleet.inPass("one");
  const killedMs = performance.now();
  await one.signal("SIGKILL");
  await fleet.until(() => fleet.firstVisits(killedMs, "two").size === count, "all visited by the other");
  assertVisitedInTime(context, fleet, killedMs, "the kill");
  for (const cluster of fleet.clusters) assert.deepEqual(fleet.turns(cluster), ["one", "two"], `${cluster}`);
  assert.ok(two.running, two.stderr);
});

test("a monitor that hung beyond its lease visits nothing that it lost, and goes on with what it is given", {
  timeout: 180_000,
}, async (context) => {
  await using shared = await sharedFleet();
  const { fleet, one, two, id, kept } = shared;
  await fleet.inPass("one");
  const stoppedMs = performance.now();
  one.child.kill("SIGSTOP");
  await fleet.until(() => fleet.firstVisits(stoppedMs, "two").size === count, "all visited by the other");
  assertVisitedInTime(context, fleet, stoppedMs, "the stop");
  assert.ok(!(await fleet.owners()).includes(id), "nothing is assigned to the one that hangs");

  const wokenMs = performance.now();
  one.child.kill("SIGCONT");
  /** Until when, at least, each cluster was not the woken one's. */
  const notBefore = fleet.clusters.map(() => wokenMs);
  let owners: readonly (string | undefined)[] = [];
  const isBack = () => fleet.firstVisits(wokenMs, "one").size >= count / 2;
  while (!isBack() || fleet.firstVisits(wokenMs).size < count) {
    assert.ok(performance.now() < wokenMs + 60_000, `not shared again: ${one.stderr}`);
    const askedMs = performance.now();
    owners = await fleet.owners();
    for (const cluster of fleet.clusters) if (owners[cluster] !== id) notBefore[cluster] = askedMs;
    await delay(20);
  }
  assertVisitedInTime(context, fleet, wokenMs, "the wake");
  await delay(settings.everyMs);

  const given = fleet.clusters.filter((cluster) => owners[cluster] === id);
  assert.equal(given.length, count / 2);
  assert.ok(
    kept.some((cluster) => !given.includes(cluster)),
    "some that it had are the other's for good",
  );
  for (const { by, cluster, atMs } of fleet.requests) {
    const isZombie = by === "one" && atMs > wokenMs && atMs < (notBefore[cluster] ?? 0);
    assert.ok(!isZombie, `cluster ${cluster} was asked ${atMs - wokenMs} ms after the wake`);
  }
  for (const cluster of fleet.clusters) {
    const turns = given.includes(cluster) ? ["one", "two", "one"] : ["one", "two"];
    assert.deepEqual(fleet.turns(cluster), turns, `${cluster}`);
  }
  assert.ok(one.running && two.running, `${one.stderr}${two.stderr}`);
});
