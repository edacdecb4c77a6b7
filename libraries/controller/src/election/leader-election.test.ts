import assert from "node:assert/strict";
import { test } from "node:test";
import { type Clock, numberAt, silentLogger, stringAt } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { KubeError, resources } from "@keelson/kube";
import fc from "fast-check";
import { LeaseServer } from "../testing/lease-server.ts";
import type { WriteHook } from "../writes/write-hooks.ts";
import { LeaderElection, LeadershipLost } from "./leader-election.ts";

type LeaseApi = ReturnType<LeaseServer["api"]>;

const lease = { namespace: "ns", name: "lock" };
/** Time limit of a request in ms. */
const requestMs = 20_000;
const write: Parameters<WriteHook>[0] = {
  verb: "delete",
  resource: resources.configMaps,
  key: { namespace: "ns", name: "a" },
};
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Candidate that can be paused. During a pause, its timers stop but the clock advances, as after SIGSTOP. */
class Contender {
  readonly election: LeaderElection;
  readonly stop = new AbortController();
  /** True while the server does not respond to this candidate. */
  cutOff = false;
  outcome: "waiting" | "leading" | "ended" | "lost" = "waiting";
  ended: Promise<void>;
  /**
   * Response behavior of the server for this candidate. With `late`, the server processes a request, but the response arrives
   * only after the timeout.
   */
  response: "in time" | "never" | "late" = "in time";
  #resumed: Promise<void> = Promise.resolve();
  #resume: () => void = () => {};
  readonly #clock: ManualClock;
  #pausedAtMs: number | undefined;
  #pausedMs = 0;

  constructor(identity: string, server: LeaseServer, clock: ManualClock, pod?: string) {
    this.#clock = clock;
    const own: Clock = {
      now: () => clock.now(),
      lateMs: () => this.#lateMs,
      monotonicMs: () => clock.monotonicMs(),
      sleep: async (ms, signal) => {
        await clock.sleep(ms, signal);
        await this.#resumed;
      },
    };
    const api = server.api(async () => {
      await this.#resumed;
      if (this.cutOff) throw new KubeError(0, "Unreachable", "cut off");
    });
    const late = async <T>(send: () => Promise<T>): Promise<T> => {
      const { response } = this;
      if (response === "in time") return send();
      await clock.sleep(requestMs, new AbortController().signal);
      if (response === "late") await send();
      throw new KubeError(0, "Timeout", "the server did not respond");
    };
    const slowApi: LeaseApi = {
      find: (...request) => late(() => api.find(...request)),
      create: (...request) => late(() => api.create(...request)),
      replace: (...request) => late(() => api.replace(...request)),
    };
    this.election = new LeaderElection({
      api: slowApi,
      lease,
      identity,
      pod,
      clock: own,
      logger: silentLogger,
    });
    this.ended = this.#run();
  }

  pause(): void {
    this.resume();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#resumed = promise;
    this.#resume = resolve;
    this.#pausedAtMs = this.#clock.monotonicMs();
  }

  get #lateMs(): number {
    const nowMs = this.#clock.monotonicMs();
    return this.#pausedMs + nowMs - (this.#pausedAtMs ?? nowMs);
  }

  resume(): void {
    this.#pausedMs = this.#lateMs;
    this.#pausedAtMs = undefined;
    this.#resume();
    this.#resumed = Promise.resolve();
  }

  async #run(): Promise<void> {
    const lead = async (signal: AbortSignal) => {
      this.outcome = "leading";
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    };
    try {
      await this.election.run(lead, this.stop.signal);
      this.outcome = "ended";
    } catch (error) {
      this.outcome = error instanceof LeadershipLost ? "lost" : "ended";
    }
  }
}

function contest(...identities: readonly string[]) {
  const clock = new ManualClock();
  const server = new LeaseServer();
  const contenders = identities.map((identity) => new Contender(identity, server, clock));
  return {
    clock,
    server,
    contenders,
    at(index: number): Contender {
      const found = contenders[index];
      assert.ok(found);
      return found;
    },
    outcomes: () => contenders.map(({ outcome }) => outcome),
    async [Symbol.asyncDispose]() {
      for (const each of contenders) {
        each.resume();
        each.stop.abort();
      }
      await Promise.all(contenders.map(({ ended }) => ended));
    },
  };
}

test("one of two leads, for as long as it renews", async () => {
  await using two = contest("a", "b");
  await two.clock.advance(3_600_000);
  assert.deepEqual(two.outcomes(), ["leading", "waiting"]);
  assert.equal(numberAt(two.server.get("lock"), "spec", "leaseTransitions"), 0);
});

test("a leader that ends gives the lease back, and the other need not wait for it to run out", async () => {
  await using two = contest("a", "b");
  await two.clock.advance(30_000);
  two.at(0).stop.abort();
  await two.at(0).ended;
  assert.equal(stringAt(two.server.get("lock"), "spec", "holderIdentity"), "");
  await two.clock.advance(35_000);
  assert.deepEqual(two.outcomes(), ["ended", "leading"]);
  assert.equal(numberAt(two.server.get("lock"), "spec", "leaseTransitions"), 1);
});

test("a restarted container acquires the lease of its predecessor immediately, a second pod waits", async () => {
  await using killed = contest("pod-a_1");
  await killed.clock.advance(30_000);
  killed.at(0).cutOff = true;
  const { server, clock } = killed;
  const other = new Contender("pod-ab_1", server, clock, "pod-ab");
  await clock.advance(1_000);
  assert.equal(other.outcome, "waiting");
  const next = new Contender("pod-a_2", server, clock, "pod-a");
  await clock.advance(1_000);
  assert.deepEqual([other.outcome, next.outcome], ["waiting", "leading"]);
  assert.equal(stringAt(server.get("lock"), "spec", "holderIdentity"), "pod-a_2");
  assert.equal(numberAt(server.get("lock"), "spec", "leaseTransitions"), 1);
  await clock.advance(300_000);
  assert.equal(killed.at(0).outcome, "lost");
  for (const each of [other, next]) each.stop.abort();
  await Promise.all([other.ended, next.ended]);
});

test("a process that stops while it acquires the lease does not lead, and releases it", async () => {
  await using one = contest("a");
  one.at(0).pause();
  await turn();
  one.at(0).stop.abort();
  one.at(0).resume();
  await one.at(0).ended;
  assert.equal(one.at(0).outcome, "ended");
  assert.equal(stringAt(one.server.get("lock"), "spec", "holderIdentity"), "");
});

/** Runs an election with a modified API, and stops it when `reached` is called. */
async function endedWhile(
  change: (api: LeaseApi, reached: () => void) => Partial<LeaseApi>,
): Promise<string | undefined> {
  const server = new LeaseServer();
  const reached = Promise.withResolvers<void>();
  const own = server.api();
  const api = { ...own, ...change(own, reached.resolve) };
  const clock = new ManualClock();
  const election = new LeaderElection({ api, lease, identity: "a", clock, logger: silentLogger });
  const stop = new AbortController();
  const ended = election.run(async () => reached.promise, stop.signal).catch(() => undefined);
  await reached.promise;
  stop.abort();
  await ended;
  return stringAt(server.get("lock"), "spec", "holderIdentity");
}

test("a stopping process releases a lease that it acquired without a response", async () => {
  const holder = await endedWhile((api, reached) => ({
    async create(resource, object, signal) {
      await api.create(resource, object, signal);
      reached();
      throw new KubeError(0, "Unreachable", "the connection broke");
    },
  }));
  assert.equal(holder, "");
});

test("a stopping process waits for the response to an in-flight lease request", async () => {
  const holder = await endedWhile((api, reached) => ({
    async create(resource, object, signal) {
      reached();
      for (let turns = 0; turns < 3; turns++) await turn();
      signal.throwIfAborted();
      return api.create(resource, object, signal);
    },
  }));
  assert.equal(holder, "");
});

test("a lease that changes while it is given back is read again", async () => {
  let conflicts = 0;
  const holder = await endedWhile((api, reached) => ({
    async create(resource, object, signal) {
      const created = await api.create(resource, object, signal);
      queueMicrotask(reached);
      return created;
    },
    async replace(resource, object, signal) {
      conflicts += 1;
      if (conflicts === 1) throw new KubeError(409, "Conflict", "it has changed");
      return api.replace(resource, object, signal);
    },
  }));
  assert.deepEqual([holder, conflicts], ["", 2]);
});

test("a process that was paused for long while it took the lease renews it before it writes", async () => {
  await using one = contest("a");
  one.at(0).pause();
  await one.clock.advance(110_000);
  one.at(0).resume();
  await one.clock.advance(1);
  assert.equal(one.at(0).outcome, "leading");
  assert.throws(() => one.at(0).election.assertLeader(), LeadershipLost);
  await one.clock.advance(1_000);
  one.at(0).election.assertLeader();
});

test("a late leader is suspended, and resumes when its renewal is accepted", async () => {
  await using two = contest("a", "b");
  const { election } = two.at(0);
  await two.clock.advance(30_000);
  two.at(0).pause();
  await two.clock.advance(120_000);
  assert.throws(() => election.assertLeader(), LeadershipLost);
  let isSent = false;
  const sent = election.fence(write, async () => {
    isSent = true;
    return undefined;
  });
  await turn();
  assert.equal(isSent, false);
  two.at(0).resume();
  await two.clock.advance(1_000);
  await sent;
  await two.clock.advance(600_000);
  assert.deepEqual(two.outcomes(), ["leading", "waiting"]);
  assert.equal(numberAt(two.server.get("lock"), "spec", "leaseTransitions"), 0);
});

test("a server that is late for both changes no leader", async () => {
  await using two = contest("a", "b");
  await two.clock.advance(30_000);
  for (const each of two.contenders) each.response = "never";
  await two.clock.advance(180_000);
  assert.equal(two.at(0).election.isLeader, false);
  for (const each of two.contenders) each.response = "in time";
  await two.clock.advance(600_000);
  assert.deepEqual(two.outcomes(), ["leading", "waiting"]);
  assert.equal(two.at(0).election.isLeader, true);
});

test("lateness extends the leader's wait by one lease at most", async () => {
  await using one = contest("a");
  await one.clock.advance(30_000);
  one.at(0).response = "never";
  await one.clock.advance(107_000 + 137_000 + 2 * requestMs + 30_000);
  await one.at(0).ended;
  assert.equal(one.at(0).outcome, "lost");
});

test("a suspended leader that is asked to end refuses the writes that wait", async () => {
  await using one = contest("a");
  const { election, stop } = one.at(0);
  await one.clock.advance(30_000);
  one.at(0).response = "never";
  await one.clock.advance(120_000);
  const refused = assert.rejects(
    election.fence(write, async () => undefined),
    LeadershipLost,
  );
  stop.abort();
  await one.clock.advance(2 * requestMs);
  await refused;
});

test("a leader is lost after its lease was acquired and released by a second process", async () => {
  await using two = contest("a", "b");
  await two.clock.advance(30_000);
  two.at(0).pause();
  await two.clock.advance(180_000);
  assert.equal(two.at(1).outcome, "leading");
  two.at(1).stop.abort();
  await two.at(1).ended;
  two.at(0).resume();
  await two.clock.advance(30_000);
  assert.equal(two.at(0).outcome, "lost");
});

test("a leader that cannot reach the server stops before a second process takes over", async () => {
  await using two = contest("a", "b");
  await two.clock.advance(30_000);
  two.at(0).cutOff = true;
  await two.clock.advance(108_000);
  assert.deepEqual(two.outcomes(), ["lost", "waiting"]);
  await two.clock.advance(100_000);
  assert.deepEqual(two.outcomes(), ["lost", "leading"]);
});

test("a paused leader writes nothing when it resumes, although its timers have not fired yet", async () => {
  await using two = contest("a", "b");
  await two.clock.advance(30_000);
  two.at(0).pause();
  await two.clock.advance(200_000);
  assert.equal(two.at(1).outcome, "leading");
  assert.equal(two.at(0).outcome, "leading");
  assert.throws(() => two.at(0).election.assertLeader(), LeadershipLost);
  two.at(0).resume();
  await turn();
  await two.clock.advance(1);
  assert.equal(two.at(0).outcome, "lost");
  assert.equal(stringAt(two.server.get("lock"), "spec", "holderIdentity"), "b");
});

test("a short outage costs no leadership", async () => {
  await using two = contest("a", "b");
  await two.clock.advance(30_000);
  two.at(0).cutOff = true;
  await two.clock.advance(60_000);
  two.at(0).cutOff = false;
  await two.clock.advance(600_000);
  assert.deepEqual(two.outcomes(), ["leading", "waiting"]);
});

test("clocks that are wrong by hours change nothing: only what one's own clock saw counts", async () => {
  const clock = new ManualClock();
  const server = new LeaseServer();
  const wrong: Clock = { ...bound(clock), now: () => new Date(clock.now().getTime() - 5 * 3_600_000) };
  const make = (identity: string, own: Clock) =>
    new LeaderElection({ api: server.api(), lease, identity, clock: own, logger: silentLogger });
  const stop = new AbortController();
  const hold = (signal: AbortSignal) =>
    new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  const [a, b] = [make("a", wrong), make("b", clock)];
  const runs = [a, b].map((each) => each.run(hold, stop.signal).catch(() => undefined));
  await clock.advance(600_000);
  assert.deepEqual([a.isLeader, b.isLeader], [true, false]);
  stop.abort();
  await Promise.all(runs);
});

function bound(clock: ManualClock): Clock {
  return {
    now: () => clock.now(),
    monotonicMs: () => clock.monotonicMs(),
    sleep: (ms, signal) => clock.sleep(ms, signal),
  };
}

test("settings that would allow two concurrent leaders are rejected", () => {
  const options = {
    api: new LeaseServer().api(),
    lease,
    identity: "a",
    clock: new ManualClock(),
    logger: silentLogger,
  };
  assert.throws(() => new LeaderElection({ ...options, renewDeadlineMs: 137_000 }), /renewDeadlineMs/);
});

const moves = fc.array(
  fc.record({
    who: fc.nat(2),
    what: fc.constantFrom("pause", "resume", "cut off", "reconnect", "wait", "late", "never", "in time"),
    ms: fc.integer({ min: 1, max: 150_000 }),
  }),
  { maxLength: 25 },
);

test("pauses, cut-offs and delays never cause two concurrent leaders, and finally one leads", async () => {
  await fc.assert(
    fc.asyncProperty(moves, async (all) => {
      await using three = contest("a", "b", "c");
      const leaders = () => three.contenders.filter(({ election }) => election.isLeader).length;
      const written: boolean[] = [];
      const writes: Promise<unknown>[] = [];
      for (const { who, what, ms } of all) {
        const contender = three.at(who);
        if (what === "pause") contender.pause();
        else if (what === "resume") contender.resume();
        else if (what === "cut off") contender.cutOff = true;
        else if (what === "reconnect") contender.cutOff = false;
        else if (what !== "wait") contender.response = what;
        for (let left = ms; left > 0; left -= 5_000) {
          await three.clock.advance(Math.min(left, 5_000));
          assert.ok(leaders() <= 1, `${leaders()} lead`);
          for (const { election } of three.contenders)
            writes.push(
              election
                .fence(write, async () => void written.push(election.isLeader && leaders() === 1))
                .catch(() => undefined),
            );
        }
      }
      for (const each of three.contenders) {
        each.resume();
        each.cutOff = false;
        each.response = "in time";
      }
      await three.clock.advance(800_000);
      await Promise.all(writes);
      assert.ok(!written.includes(false), "a write of a process that was not the only leader was sent");
      const alive = three.contenders.filter(({ outcome }) => outcome !== "lost" && outcome !== "ended");
      assert.equal(leaders(), alive.length === 0 ? 0 : 1);
    }),
    { numRuns: 200 },
  );
});

test("a process releases a lease that it acquired without waiting for the response", async () => {
  const server = new LeaseServer();
  const stop = new AbortController();
  const api = server.api();
  const election = new LeaderElection({
    api: {
      ...api,
      create: async (...request) => {
        await api.create(...request);
        stop.abort(new Error("stopped"));
        throw stop.signal.reason;
      },
    },
    lease,
    identity: "a",
    clock: new ManualClock(),
    logger: silentLogger,
  });
  await assert.rejects(
    election.run(() => Promise.resolve(), stop.signal),
    /stopped/,
  );
  assert.equal(stringAt(server.get("lock"), "spec", "holderIdentity"), "");
});
