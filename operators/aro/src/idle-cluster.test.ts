import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@keelson/base/testing";
import { resources } from "@keelson/kube";
import { controllersOf } from "./controllers/controllers.ts";
import { customerObjects, customerTexts } from "./testing/customer-objects.ts";
import { passTime, startOnMovedClock, testServers, watchedKinds } from "./testing/index.ts";

const controllers = controllersOf.master;
const minuteMs = 60_000;

const kinds = watchedKinds(controllers);

for (const { name, start } of testServers)
  test(`all controllers, on ${name}: an hour in which nothing happens, and the hour after a repair, see no write`, async () => {
    await using cluster = await start({ kinds, anySchema: true });
    for (const { resource, object } of [...customerObjects, ...customerTexts])
      await cluster.put(resource, object);
    const clock = new ManualClock(new Date());
    const operator = await startOnMovedClock(cluster, clock, { controllers });
    const pass = (minutes: number, stepMs = 10_000) => passTime(clock, minutes * minuteMs, stepMs);
    /** Returns the number of reconciles and writes during the given minutes. */
    const during = async (minutes: number) => {
      const reconciles = () => operator.metric("controller_runtime_reconcile_total");
      const before = [await reconciles(), await operator.writes()] as const;
      await pass(minutes);
      return { reconciles: (await reconciles()) - before[0], writes: (await operator.writes()) - before[1] };
    };
    // After five minutes, the operator treats the Deployment as failed. Ten minutes later, it sets the condition to
    // Available=False.
    await pass(30);
    await operator.quiet();

    const idle = await during(60);
    assert.equal(idle.writes, 0);
    assert.ok(idle.reconciles < 12 * controllers.length, `${idle.reconciles} reconciles`);

    const role = { name: "system:aro-sre" };
    const rules = [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }];
    await cluster.api.mergePatch(resources.clusterRoles, role, { rules }, cluster.signal);
    const before = await operator.metric("aro_operator_repairs_total", { kind: "ClusterRole" });
    await pass(1, 1_000);
    await operator.quiet();
    assert.equal(await operator.metric("aro_operator_repairs_total", { kind: "ClusterRole" }), before + 1);
    assert.equal((await during(60)).writes, 0);
    assert.equal(await operator.metric("workqueue_depth"), 0);
    assert.equal(await operator.metric("controller_runtime_reconcile_panics_total"), 0);
  });
