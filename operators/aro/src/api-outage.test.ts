import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { ManualClock } from "@keelson/base/testing";
import { resources } from "@keelson/kube";
import { type Fault, startUnwellFront, type UnwellFront } from "@keelson/operator-kit/testing";
import { banner } from "./controllers/banner/controller.ts";
import { clusterOperatorAro } from "./controllers/cluster-operator-aro/controller.ts";
import { rbac } from "./controllers/rbac/controller.ts";
import {
  condition,
  passTime,
  startOnMovedClock,
  type TestCluster,
  type TestOperator,
  testServers,
} from "./testing/index.ts";

/** How the API server is not well. */
const faults: readonly Fault[] = [
  { kind: "code", code: 500 },
  { kind: "code", code: 429 },
  { kind: "code", code: 403 },
  { kind: "gone" },
  { kind: "silent" },
  { kind: "slow", ms: 150 },
];
const nameOf = (fault: Fault) => ("code" in fault ? `${fault.code}` : fault.kind);
const outageMs = 700;
const role = { name: "system:aro-sre" };
const controllers = [banner, clusterOperatorAro, rbac];

for (const { name: server, start } of testServers) {
  describe(`an API server that is not well, ${server}`, () => {
    let cluster: TestCluster;
    let operator: TestOperator;
    let front: UnwellFront;
    const found = () => cluster.api.find(resources.clusterRoles, role, cluster.signal);
    before(async () => {
      cluster = await start({ kinds: [resources.consoleNotifications, resources.clusterOperators] });
      front = await startUnwellFront(cluster.kubeconfig);
      operator = await cluster.start({ controllers, api: cluster.connect("aro-operator", front.kubeconfig) });
      await cluster.eventually(async () => assert.ok(await found()));
      await operator.quiet();
    });
    after(async () => {
      await cluster[Symbol.asyncDispose]();
      await front[Symbol.asyncDispose]();
    });

    for (const fault of faults)
      test(`${nameOf(fault)}: it is asked seldom, and repaired from when it is well again`, async () => {
        const before = front.asked;
        front.become(fault);
        await cluster.api.delete(resources.clusterRoles, role, cluster.signal);
        await delay(outageMs);
        // One that is slow answers in the end: then it is repaired while it is.
        if (fault.kind !== "slow") assert.equal(await found(), undefined);
        const asked = front.asked - before;
        assert.ok(asked < 60, `${asked} requests in ${outageMs} ms`);
        if (fault.kind !== "slow") front.become(undefined);
        await cluster.eventually(async () => assert.ok(await found()));
        await cluster.eventually(async () => {
          const { status, message } = await condition(cluster, "RBACControllerDegraded");
          assert.equal(status, "False", message);
        });
        front.become(undefined);
        await operator.quiet();
      });
  });
}

const minuteMs = 60_000;

for (const { name: server, start } of testServers) {
  describe(`on a clock that is moved, ${server}`, () => {
    let cluster: TestCluster;
    let operator: TestOperator;
    let front: UnwellFront;
    const clock = new ManualClock(new Date());
    const pass = (ms: number, stepMs: number) => passTime(clock, ms, stepMs);
    /** Gives how many seconds it took until the role was there. */
    const secondsUntilRepaired = async () => {
      for (let seconds = 0; seconds < 1_800; seconds += 2) {
        if (await cluster.api.find(resources.clusterRoles, role, cluster.signal)) return seconds;
        await pass(2_000, 1_000);
      }
      return assert.fail("it is not repaired within half an hour");
    };
    before(async () => {
      cluster = await start({ kinds: [resources.consoleNotifications, resources.clusterOperators] });
      front = await startUnwellFront(cluster.kubeconfig);
      const api = cluster.connect("aro-operator", front.kubeconfig);
      operator = await startOnMovedClock(cluster, clock, { controllers, api });
      await secondsUntilRepaired();
      await pass(minuteMs, 1_000);
    });
    after(async () => {
      await cluster[Symbol.asyncDispose]();
      await front[Symbol.asyncDispose]();
    });

    // One that is silent is given up after half a minute by the machine's clock.
    for (const fault of faults.filter(({ kind }) => kind !== "silent" && kind !== "slow"))
      test(`${nameOf(fault)} for five minutes: each watch asks a few times a minute, repaired within two, nothing written after that`, async () => {
        const before = front.asked;
        front.become(fault);
        await cluster.api.delete(resources.clusterRoles, role, cluster.signal);
        await pass(5 * minuteMs, 1_000);
        assert.equal(await cluster.api.find(resources.clusterRoles, role, cluster.signal), undefined);
        const asked = front.asked - before;
        // Seven watches and a repair, each of which is tried every half minute in the end.
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
      await cluster.api.delete(resources.clusterRoles, role, cluster.signal);
      assert.ok((await secondsUntilRepaired()) <= 60);
    });
  });
}
