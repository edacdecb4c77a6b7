/**
 * Tests two monitor processes on one PostgreSQL database. Clusters are scraped in time even if one monitor hangs or is killed.
 * Only one monitor scrapes a cluster at a time.
 */
import assert from "node:assert/strict";
import { after, before, describe, type TestContext, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { systemClock } from "@keelson/base";
import type { Program } from "./support/program.ts";
import { WatchedFleet } from "./support/watched-fleet.ts";

const settings = { everyMs: 4_000, leaseMs: 6_000, heartbeatMs: 1_000 };
/**
 * Maximum time in milliseconds until the second monitor has scraped all clusters of a failed monitor. The limit is the sum of the
 * lease duration, one heartbeat and one scrape period.
 */
const limitMs = settings.leaseMs + settings.heartbeatMs + settings.everyMs;
const count = 24;

interface Start {
  readonly atMs: number;
  /** Accumulated event loop delay of this process in milliseconds. The monitor processes share its CPUs and are delayed too. */
  readonly lateMs: number;
}

const now = (): Start => ({ atMs: performance.now(), lateMs: systemClock.lateMs() });
/**
 * Factor for the event loop delay. The factor is above one because a delay affects several phases: lease, heartbeat and scrape
 * period.
 */
const latenessFactor = 10;

/**
 * Asserts that every cluster was scraped within the time limit, counted from `from`. The service's documentation specifies this
 * limit.
 */
function assertVisitedInTime(context: TestContext, fleet: WatchedFleet, from: Start, what: string): void {
  const visits = fleet.firstVisits(from.atMs);
  assert.equal(visits.size, count);
  const lastMs = Math.round(Math.max(...visits.values()) - from.atMs);
  const lateMs = Math.round(systemClock.lateMs() - from.lateMs);
  context.diagnostic(`after ${what} all were visited within ${lastMs} ms of ${limitMs}, ${lateMs} ms late`);
  assert.ok(
    lastMs <= limitMs + latenessFactor * lateMs,
    `after ${what} a cluster was not visited for ${lastMs} ms`,
  );
}

describe("two monitors", () => {
  let fleet: WatchedFleet;
  let one: Program;
  let two: Program;
  /** ID of the first monitor in the bucket assignments. */
  let id: string | undefined;

  /** Starts monitor `one`, which scrapes all clusters. Then starts monitor `two`, which takes over half of the clusters. */
  before(async () => {
    fleet = await WatchedFleet.start(count, settings);
    one = await fleet.monitor("one");
    await fleet.until(() => fleet.firstVisits(0, "one").size === count, "all visited by the first monitor");
    [id] = await fleet.owners();
    assert.ok(id);
    two = await fleet.monitor("two");
    await fleet.until(() => fleet.firstVisits(0, "two").size === count / 2, "half visited by the second");
    const sharedMs = performance.now();
    await fleet.until(() => fleet.firstVisits(sharedMs).size === count, "all visited by the two");
  });
  after(() => fleet[Symbol.asyncDispose]());

  test("a monitor that hung for longer than its lease visits no lost cluster, and resumes with its new ones", {
    timeout: 900_000,
  }, async (context) => {
    const kept = (await fleet.owners()).flatMap((owner, cluster) => (owner === id ? [cluster] : []));
    assert.equal(kept.length, count / 2);
    // Holds the responses before the monitor is stopped. Without this, a request that the monitor has already prepared could
    // arrive after the stop and count as a scrape.
    await fleet.holdResponses("one", kept);
    const stopped = now();
    one.child.kill("SIGSTOP");
    fleet.releaseResponses();
    await fleet.until(
      () => fleet.firstVisits(stopped.atMs, "two").size === count,
      "all visited by the other",
    );
    assertVisitedInTime(context, fleet, stopped, "the stop");
    assert.ok(!(await fleet.owners()).includes(id), "nothing is assigned to the one that hangs");

    const woken = now();
    one.child.kill("SIGCONT");
    /** Latest time at which each cluster was assigned to the second monitor. */
    const notBefore = fleet.clusters.map(() => woken.atMs);
    let owners: readonly (string | undefined)[] = [];
    const isBack = () => fleet.firstVisits(woken.atMs, "one").size >= count / 2;
    while (!isBack() || fleet.firstVisits(woken.atMs).size < count) {
      assert.ok(performance.now() < woken.atMs + 60_000, `not shared again: ${one.stderr}`);
      const askedMs = performance.now();
      owners = await fleet.owners();
      for (const cluster of fleet.clusters) if (owners[cluster] !== id) notBefore[cluster] = askedMs;
      await delay(20);
    }
    assertVisitedInTime(context, fleet, woken, "the wake");
    await delay(settings.everyMs);

    const given = fleet.clusters.filter((cluster) => owners[cluster] === id);
    assert.equal(given.length, count / 2);
    assert.ok(
      kept.some((cluster) => !given.includes(cluster)),
      "some that it had are the other's for good",
    );
    for (const { by, cluster, atMs } of fleet.requests) {
      const isZombie = by === "one" && atMs > woken.atMs && atMs < (notBefore[cluster] ?? 0);
      assert.ok(!isZombie, `cluster ${cluster} was asked ${atMs - woken.atMs} ms after the wake`);
    }
    for (const cluster of fleet.clusters) {
      const turns = given.includes(cluster) ? ["one", "two", "one"] : ["one", "two"];
      assert.deepEqual(fleet.turns(cluster), turns, `${cluster}`);
    }
    assert.ok(one.running && two.running, `${one.stderr}${two.stderr}`);
  });

  test("clusters of a killed monitor are visited within a lease, a tick and a period, by one monitor at a time", {
    timeout: 900_000,
  }, async (context) => {
    const earlier = fleet.clusters.map((cluster) => fleet.turns(cluster).length);
    const owners = fleet.clusters.map((cluster) => fleet.turns(cluster).at(-1));
    assert.equal(owners.filter((by) => by === "one").length, count / 2);
    await fleet.inPass("one");
    const killed = now();
    await one.signal("SIGKILL");
    await fleet.until(() => fleet.firstVisits(killed.atMs, "two").size === count, "all visited by the other");
    assertVisitedInTime(context, fleet, killed, "the kill");
    for (const cluster of fleet.clusters) {
      const turns = fleet.turns(cluster).slice((earlier[cluster] ?? 0) - 1);
      assert.deepEqual(turns, owners[cluster] === "one" ? ["one", "two"] : ["two"], `${cluster}`);
    }
    assert.ok(two.running, two.stderr);
  });
});
