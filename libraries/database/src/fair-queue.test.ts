import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, beforeEach, describe, test } from "node:test";
import { silentLogger } from "@keelson/base";
import fc from "fast-check";
import { create, replace, unchanged } from "./documents/database.ts";
import type { Leased } from "./documents/lease.ts";
import { openDatabase } from "./open.ts";
import { FairQueueModel } from "./testing/fair-queue-model.ts";
import { targets } from "./testing/targets.ts";
import { type TestCluster, testCluster, testDefinitions, testKeyring } from "./testing/test-documents.ts";
import type { Target, TestStore } from "./testing/test-store.ts";

const signal = AbortSignal.timeout(300_000);
const ttlMs = 600_000;

type Command =
  | { readonly kind: "enter"; readonly partition: number }
  | { readonly kind: "acquire"; readonly limit: number }
  | { readonly kind: "finish" | "fail" | "stop"; readonly which: number }
  | { readonly kind: "crash" | "back-off ends" };

const enter = fc.record({ kind: fc.constant("enter" as const), partition: fc.nat(4) });
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 5, arbitrary: enter },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("acquire" as const), limit: fc.integer({ min: 1, max: 4 }) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("finish" as const), which: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("fail" as const, "stop"), which: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("crash" as const, "back-off ends") }) },
);
const commands = fc.array(command, { minLength: 10, maxLength: 60 });

describe("the model of a fair queue", () => {
  test("a partition with one document waits for one document of each other partition, however many they have", () => {
    fc.assert(
      fc.property(commands, commands, fc.integer({ min: 1, max: 3 }), (first, second, maxRunning) => {
        const model = new FairQueueModel(maxRunning);
        for (const each of first) apply(model, each);
        const single = model.enter("single");
        const passed = new Map<string, number>();
        for (const each of second) {
          for (const { id, partitionKey, wasBegun } of apply(model, each)) {
            if (id === single) return;
            if (!wasBegun) passed.set(partitionKey, (passed.get(partitionKey) ?? 0) + 1);
          }
          for (const count of passed.values()) assert.ok(count <= 1, "each partition passes at most once");
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

/** Applies a command. Returns the acquired documents in order. */
function apply(model: FairQueueModel, each: Command) {
  switch (each.kind) {
    case "enter":
      model.enter(`p${each.partition}`);
      return [];
    case "acquire":
      return model.acquire(each.limit);
    case "crash":
      model.crash();
      return [];
    case "back-off ends":
      model.endBackoff();
      return [];
    default: {
      const id = model.held(each.which);
      if (id !== undefined) model[each.kind](id);
      return [];
    }
  }
}

for (const [name, kind] of Object.entries(targets)) {
  describe(name, () => {
    let target: Target;
    let store: TestStore;
    const keyring = testKeyring();

    before(async () => {
      target = await kind.start();
      store = await target.open(keyring);
    });
    beforeEach(() => store.clear());
    after(async () => {
      await store[Symbol.asyncDispose]();
      await target[Symbol.asyncDispose]();
    });

    const clusters = () => store.database.collections.clusters;

    async function queue(partitionKey: string, id: string = randomUUID()) {
      const document = testCluster({ id, partitionKey, busy: true });
      const result = await store.database.commit(partitionKey, [create(clusters(), document)], { signal });
      assert.equal(result.kind, "committed");
      return id;
    }

    async function finish(leased: Leased<TestCluster>) {
      const { document, lease } = leased;
      const done = replace(clusters(), leased, { ...document, busy: false });
      const options = { lease, release: true, signal };
      const result = await store.database.commit(document.partitionKey, [done], options);
      assert.equal(result.kind, "committed");
    }

    test("whatever happens in whatever order, workers get the documents that the model chooses", async () => {
      await fc.assert(
        fc
          .asyncProperty(commands, fc.integer({ min: 1, max: 3 }), async (all, maxRunning) => {
            const model = new FairQueueModel(maxRunning);
            const held = new Map<string, Leased<TestCluster>>();
            for (const each of all) {
              const which = "which" in each ? model.held(each.which) : undefined;
              const leased = which === undefined ? undefined : held.get(which);
              if (each.kind === "enter") await queue(`p${each.partition}`, model.enter(`p${each.partition}`));
              else if (each.kind === "acquire") {
                const { limit } = each;
                const taken = await clusters().acquire({ owner: "a", ttlMs, limit, maxRunning, signal });
                for (const one of taken) held.set(one.document.id, one);
                assert.deepEqual(
                  taken.map(({ document }) => document.id).sort(),
                  model
                    .acquire(limit)
                    .map(({ id }) => id)
                    .sort(),
                );
              } else if (each.kind === "crash") {
                await store.expireLeases();
                model.crash();
              } else if (each.kind === "back-off ends") {
                await store.endBackoffIn(-2_000);
                model.endBackoff();
              } else if (leased && which !== undefined) {
                if (each.kind === "finish") await finish(leased);
                else {
                  const backoffMs = each.kind === "fail" ? 600_000 : 0;
                  await clusters().release(leased.lease, { backoffMs, signal });
                }
                model[each.kind](which);
              }
            }
            assert.deepEqual(await clusters().queueLength(signal), model.length());
          })
          .beforeEach(() => store.clear()),
        { numRuns: 25 },
      );
    });

    test("commits with a limit at the same time queue as many documents of one partition as it allows", async () => {
      const { collections } = store.database;
      const condition = testCluster({ partitionKey: "greedy", id: "condition" });
      await store.database.commit("greedy", [create(collections.clusters, condition)], { signal });
      const unqueued = testCluster({ partitionKey: "greedy", id: "idle" });
      await store.database.commit("greedy", [create(collections.clusters, unqueued)], { signal });
      const queueLimit = { collection: "openshift_clusters", max: 4 };
      const shared = { definitions: testDefinitions, keyring, logger: silentLogger, signal };
      await using other = await openDatabase({ driver: store.shared, ...shared });
      const add = async (index: number, partitionKey: string) => {
        const document = testCluster({ partitionKey, busy: true });
        const writes = [create(collections.clusters, document)];
        const stored = await collections.clusters.find("greedy", "condition", signal);
        if (stored && partitionKey === "greedy") writes.push(unchanged(collections.clusters, stored));
        const { kind } = await (index % 2 === 0 ? store.database : other).commit(partitionKey, writes, {
          queueLimit,
          signal,
        });
        return `${partitionKey} ${kind}`;
      };
      const results = await Promise.all([
        ...Array.from({ length: 8 }, (_, index) => add(index, "greedy")),
        ...Array.from({ length: 3 }, (_, index) => add(index, "modest")),
      ]);
      assert.deepEqual(
        Object.fromEntries(
          Map.groupBy(results, (result) => result)
            .entries()
            .map(([key, all]) => [key, all.length]),
        ),
        { "greedy committed": 4, "greedy queue-full": 4, "modest committed": 3 },
      );
      const idle = await collections.clusters.find("greedy", "idle", signal);
      assert.ok(idle);
      const busy = replace(collections.clusters, idle, { ...idle.document, busy: true });
      assert.deepEqual(await store.database.commit("greedy", [busy], { queueLimit, signal }), {
        kind: "queue-full",
      });
      assert.equal((await store.database.commit("greedy", [busy], { signal })).kind, "committed");
    });

    test("several processes together lease at most the maximum of one partition", async () => {
      await Promise.all(Array.from({ length: 12 }, () => queue("greedy")));
      await queue("modest");
      const shared = { definitions: testDefinitions, keyring, logger: silentLogger, signal };
      await using other = await openDatabase({ driver: store.shared, ...shared });
      const everyone = await Promise.all(
        [store.database, other, store.database, other].map(({ collections }, index) =>
          collections.clusters.acquire({ owner: `w${index}`, ttlMs, limit: 10, maxRunning: 5, signal }),
        ),
      );
      const taken = everyone.flat();
      assert.equal(taken.filter(({ document }) => document.partitionKey === "greedy").length, 5);
      assert.equal(taken.length, 6);
      const [first] = taken.filter(({ document }) => document.partitionKey === "greedy");
      assert.ok(first);
      await finish(first);
      const next = await clusters().acquire({ owner: "w", ttlMs, limit: 10, maxRunning: 5, signal });
      assert.equal(next.length, 1);
    });
  });
}
