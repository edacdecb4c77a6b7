import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { clusters, singleton } from "@keelson/aro-api";
import { listAt, silentLogger, stringAt, systemClock } from "@keelson/base";
import { Cache, withWriteHooks } from "@keelson/controller";
import { findCondition } from "@keelson/kube";
import { condition, type TestCluster, testServers } from "../testing/index.ts";
import { ClusterStatus } from "./cluster-status.ts";
import { knownConditions } from "./condition-types.ts";

const isKnownCondition = knownConditions([
  { conditionTypes: ["MachineValid", "InternetReachableFromMaster"] },
]);

for (const { name, start } of testServers) {
  describe(`the status of the Cluster on ${name}`, () => {
    let cluster: TestCluster;
    const writer = (operatorVersion?: string) => {
      const cache = new Cache({ api: cluster.api, clock: systemClock, logger: silentLogger });
      const version = operatorVersion === undefined ? {} : { operatorVersion };
      return new ClusterStatus({ api: cluster.api, cache, clock: systemClock, isKnownCondition, ...version });
    };
    const live = () => cluster.api.get(clusters, singleton, cluster.signal);
    before(async () => {
      cluster = await start({ kinds: [] });
    });
    after(() => cluster[Symbol.asyncDispose]());

    test("writers of different conditions at one moment lose none", async () => {
      const writers = Array.from({ length: 6 }, () => writer());
      await Promise.all(
        writers.flatMap((status, index) =>
          [1, 2, 3].map((each) =>
            status.set([
              { type: `Writer${index}Number${each}ControllerDegraded`, status: "False", reason: "Well" },
            ]),
          ),
        ),
      );
      assert.equal(listAt(await live(), "status", "conditions").length, 18);
    });

    test("nothing is written when nothing differs, and the time moves only with the status", async () => {
      const status = writer("one");
      await status.set([{ type: "MachineValid", status: "True", reason: "CheckDone", message: "a" }]);
      const before = await live();
      await status.set([{ type: "MachineValid", status: "True", reason: "CheckDone", message: "a" }]);
      assert.equal((await live()).metadata.resourceVersion, before.metadata.resourceVersion);
      const since = (object: unknown) =>
        stringAt(findCondition(object, "MachineValid"), "lastTransitionTime");
      await status.set([{ type: "MachineValid", status: "True", reason: "CheckDone", message: "b" }]);
      assert.equal(since(await live()), since(before));
      assert.equal((await live()).status?.operatorVersion, "one");
    });

    test("a write with a lost response is reverted before the cache shows it", async () => {
      const type = "RBACControllerDegraded";
      await writer().set([{ type, status: "False" }]);
      const stale = await live();
      let isLost = true;
      const api = withWriteHooks(cluster.api, [
        async (_, send) => {
          const response = await send();
          if (!isLost) return response;
          isLost = false;
          throw new Error("the connection broke");
        },
      ]);
      const cache = { known: () => ({ object: stale }) };
      const status = new ClusterStatus({ api, cache, clock: systemClock, isKnownCondition });
      await assert.rejects(status.set([{ type, status: "True", reason: "ReconcileFailed" }]), /broke/);
      assert.equal((await condition(cluster, type)).status, "True");
      await status.set([{ type, status: "False" }]);
      assert.equal((await condition(cluster, type)).status, "False");
    });

    test("acceptance 4: a condition of an unknown type is removed, FooControllerDegraded is not", async () => {
      const left = ["OfAnEarlierVersion", "FooControllerDegraded"];
      const conditions = left.map((type) => ({ type, status: "True" as const }));
      await cluster.api.mergePatch(clusters, singleton, { status: { conditions } }, cluster.signal, "status");
      await writer("two").set([{ type: "MachineValid", status: "True" }]);
      assert.equal((await condition(cluster, "OfAnEarlierVersion")).status, undefined);
      assert.equal((await condition(cluster, "FooControllerDegraded")).status, "True");
    });
  });
}
