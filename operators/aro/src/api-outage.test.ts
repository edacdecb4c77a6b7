import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { ManualClock } from "@keelson/base/testing";
import { resources } from "@keelson/kube";
import { type Fault, startUnwellFront, type UnwellFront } from "@keelson/operator-kit/testing";
import {
  condition,
  passTime,
  startOnMovedClock,
  type TestCluster,
  type TestOperator,
  testServers,
} from "./testing/index.ts";
import { describeShortOutages, nameOf, outageControllers, outageRole } from "./testing/short-outages.ts";

/**
 * Faults for the tests with a manual clock. The fault `silent` is excluded, because a request to a silent server times out after
 * 30 s of real time.
 */
const faults: readonly Fault[] = [
  { kind: "code", code: 500 },
  { kind: "code", code: 429 },
  { kind: "code", code: 403 },
  { kind: "gone" },
];

// Short outages with the real clock. The tests of long outages below use a manual clock and cover all faults except `silent`.
// api-outage.long-test.ts runs all faults with the real clock.
describeShortOutages([{ kind: "gone" }, { kind: "silent" }, { kind: "slow", ms: 150 }]);

const minuteMs = 60_000;

for (const { name: server, start } of testServers) {
  describe(`on a clock that is moved, ${server}`, () => {
    let cluster: TestCluster;
    let operator: TestOperator;
    let front: UnwellFront;
    const clock = new ManualClock(new Date());
    const pass = (ms: number, stepMs: number) => passTime(clock, ms, stepMs);
    /** Returns the seconds until the role exists again. */
    const secondsUntilRepaired = async () => {
      for (let seconds = 0; seconds < 1_800; seconds += 2) {
        if (await cluster.api.find(resources.clusterRoles, outageRole, cluster.signal)) return seconds;
        await pass(2_000, 1_000);
      }
      return assert.fail("it is not repaired within half an hour");
    };
    before(async () => {
      cluster = await start({ kinds: [resources.consoleNotifications, resources.clusterOperators] });
      front = await startUnwellFront(cluster.kubeconfig);
      const api = cluster.connect("aro-operator", front.kubeconfig);
      operator = await startOnMovedClock(cluster, clock, { controllers: outageControllers, api });
      await secondsUntilRepaired();
      await pass(minuteMs, 1_000);
    });
    after(async () => {
      await cluster[Symbol.asyncDispose]();
      await front[Symbol.asyncDispose]();
    });

    for (const fault of faults)
      test(`${nameOf(fault)} for five minutes: each watch asks a few times a minute, repaired within two, nothing written after that`, async () => {
        const before = front.asked;
        front.become(fault);
        await cluster.api.delete(resources.clusterRoles, outageRole, cluster.signal);
        await pass(5 * minuteMs, 1_000);
        assert.equal(await cluster.api.find(resources.clusterRoles, outageRole, cluster.signal), undefined);
        const asked = front.asked - before;
        // The operator has seven watches and one pending repair. During the outage, each of these eight backs off to one request
        // every 30 seconds.
        assert.ok(asked < 8 * 18, `${asked} requests in five minutes`);
        front.become(undefined);
        const seconds = await secondsUntilRepaired();
        assert.ok(seconds <= 120, `${seconds} s`);
        await pass(2 * minuteMs, 1_000);
        const writes = await operator.writes();
        await pass(minuteMs, 1_000);
        assert.equal((await operator.writes()) - writes, 0);
        assert.equal((await condition(cluster, "RBACControllerDegraded")).status, "False");
      });

    test("a day in which nothing happens: nothing is written, and reconciles are few", async () => {
      const reconciles = () => operator.metric("controller_runtime_reconcile_total");
      const [writes, before] = [await operator.writes(), await reconciles()];
      await pass(24 * 60 * minuteMs, minuteMs);
      assert.equal((await operator.writes()) - writes, 0);
      const more = (await reconciles()) - before;
      assert.ok(more <= 24, `${more} reconciles`);
      assert.equal(await operator.metric("workqueue_depth"), 0);
      await cluster.api.delete(resources.clusterRoles, outageRole, cluster.signal);
      assert.ok((await secondsUntilRepaired()) <= 60);
    });
  });
}
