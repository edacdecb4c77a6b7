import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { ManualClock } from "@keelson/base/testing";
import { resources } from "@keelson/kube";
import { openShiftCrds } from "@keelson/sim-openshift/testing";
import { controllersOf } from "./controllers/controllers.ts";
import { customerObjects, customerTexts } from "./testing/customer-objects.ts";
import { testServers } from "./testing/index.ts";

const controllers = controllersOf.master;
const minuteMs = 60_000;

/** The kinds of other components that any controller watches. */
const kinds = (() => {
  const released = new Set(openShiftCrds("Default").map(({ metadata }) => metadata.name));
  const watched = controllers.flatMap(({ watches }) =>
    watches.flatMap((each) => (each.kind === "objects" ? [each.resource] : [])),
  );
  const named = new Map(watched.map((each) => [`${each.plural}.${each.group}`, each]));
  return [...named].flatMap(([name, resource]) => (released.has(name) ? [resource] : []));
})();

for (const { name, start } of testServers)
  test(`all controllers, on ${name}: an hour in which nothing happens, and the hour after a repair, see no write`, async () => {
    await using cluster = await start({ kinds, anySchema: true });
    for (const { resource, object } of [...customerObjects, ...customerTexts])
      await cluster.put(resource, object);
    const clock = new ManualClock(new Date());
    const starting = cluster.start({ controllers, clock });
    for (let started = false; !started; ) {
      started = await Promise.race([starting.then(() => true), delay(5).then(() => false)]);
      await clock.advance(100);
    }
    const operator = await starting;
    const pass = async (minutes: number, stepMs = 10_000) => {
      for (let passed = 0; passed < minutes * minuteMs; passed += stepMs) {
        await clock.advance(stepMs);
        await delay(2);
      }
    };
    /** What was reconciled and written, in so many minutes. */
    const during = async (minutes: number) => {
      const reconciles = () => operator.metric("controller_runtime_reconcile_total");
      const before = [await reconciles(), await operator.writes()] as const;
      await pass(minutes);
      return { reconciles: (await reconciles()) - before[0], writes: (await operator.writes()) - before[1] };
    };
    // Five minutes for a Deployment that never comes up, ten more until a failure is Available=False.
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
