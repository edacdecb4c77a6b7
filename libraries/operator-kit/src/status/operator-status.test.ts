import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { listAt, stringAt, valueAt } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import { type KubeObject, resources } from "@keelson/kube";
import { type OperatorParts, operatorController } from "../operator/operator-controller.ts";
import { operatorKey } from "../operator/operator-resource.ts";
import { type KitCluster, type KitOperator, kitServers, startKitOperator } from "../testing/index.ts";
import { operatorStatus, staticPodInertia } from "./controller.ts";
import { OperatorVersions } from "./operator-versions.ts";

const resource = resources.operatorConsoles;
const relatedObjects = [{ group: "", resource: "namespaces", name: "example" }];

for (const { name, start } of kitServers) {
  describe(`the ClusterOperator on ${name}`, () => {
    let cluster: KitCluster;
    let operator: KitOperator;
    let failure: string | undefined;
    const versions = new OperatorVersions();
    const clock = new ManualClock();
    const find = () => cluster.api.find(resources.clusterOperators, { name: "example" }, cluster.signal);
    const conditionsOf = (object: KubeObject | undefined) =>
      Object.fromEntries(
        listAt(object, "status", "conditions").map((each) => [
          stringAt(each, "type") ?? "",
          `${stringAt(each, "status")} ${stringAt(each, "reason")}`,
        ]),
      );
    const degradedIs = (text: string) =>
      cluster.eventually(async () => assert.equal(conditionsOf(await find()).Degraded, text));
    const configure = (spec: object) => cluster.put(resource, { metadata: operatorKey, spec });
    const run = async () => {
      operator = await startKitOperator(cluster, {
        resource,
        instance: "example",
        namespace: "example-operator",
        clock,
        parts: (parts: OperatorParts) => parts,
        controllers: [
          operatorController<OperatorParts>(resource, {
            name: "Turning",
            degraded: { type: "TurningDegraded", failed: "SyncError", fine: "AsExpected" },
            watches: [],
            async reconcile() {
              if (failure !== undefined) throw new Error(failure);
              return {};
            },
          }),
          operatorStatus({ resource, name: "example", versions, relatedObjects, inertia: staticPodInertia }),
        ],
      });
    };
    before(async () => {
      cluster = await start({ kinds: [resource, resources.clusterOperators] });
      await cluster.put(resources.namespaces, { metadata: { name: "example-operator" } });
      await cluster.put(resources.clusterOperators, {
        metadata: { name: "example" },
        spec: {},
        status: {
          conditions: [{ type: "Foreign", status: "True", lastTransitionTime: "2026-01-01T00:00:00Z" }],
          versions: [{ name: "operator", version: "1" }],
        },
      });
      await configure({ managementState: "Managed" });
      await run();
    });
    after(async () => {
      await operator[Symbol.asyncDispose]();
      await cluster[Symbol.asyncDispose]();
    });

    test("it has the union of conditions, the versions that it had, and the related objects", async () => {
      await degradedIs("False AsExpected");
      const found = await find();
      assert.deepEqual(valueAt(found, "status", "versions"), [{ name: "operator", version: "1" }]);
      assert.deepEqual(valueAt(found, "status", "relatedObjects"), relatedObjects);
      // The condition of a different writer is kept.
      assert.ok("Foreign" in conditionsOf(found));
      assert.equal(conditionsOf(found).Available, "Unknown NoData");
    });

    test("acceptance 21: a controller that fails makes it degraded after two minutes, with the reason", async () => {
      failure = "the axle is bent";
      await configure({ logLevel: "Debug" });
      await cluster.eventually(async () => {
        const found = await cluster.api.get(resource, operatorKey, cluster.signal);
        assert.equal(conditionsOf(found).TurningDegraded, "True SyncError");
      });
      await degradedIs("False AsExpected");
      await cluster.eventually(async () => {
        await clock.advance(60_000);
        assert.equal(conditionsOf(await find()).Degraded, "True Turning_SyncError");
      });
    });

    test("it recovers immediately", async () => {
      failure = undefined;
      await configure({ logLevel: "Normal" });
      await degradedIs("False AsExpected");
    });

    test("versions change together, with an Event for each", async () => {
      versions.set({ operator: "2", example: "2" });
      await cluster.eventually(async () =>
        assert.deepEqual(valueAt(await find(), "status", "versions"), [
          { name: "operator", version: "2" },
          { name: "example", version: "2" },
        ]),
      );
      await cluster.eventually(async () => {
        const namespace = "example-operator";
        const { items } = await cluster.api.list(resources.events, { namespace }, cluster.signal);
        const messages = items.map((each) => stringAt(each, "message"));
        assert.ok(
          messages.includes('clusteroperator/example version "operator" changed from "1" to "2"'),
          messages.join("\n"),
        );
      });
    });

    test("acceptance 22: unmanaged, its conditions are unknown", async () => {
      await configure({ managementState: "Unmanaged" });
      await cluster.eventually(async () => {
        const { Foreign: _, ...own } = conditionsOf(await find());
        assert.deepEqual(
          own,
          Object.fromEntries(
            ["Degraded", "Progressing", "Available", "Upgradeable", "EvaluationConditionsDetected"].map(
              (type) => [type, "Unknown Unmanaged"],
            ),
          ),
        );
      });
      await configure({ managementState: "Managed" });
      await degradedIs("False AsExpected");
    });

    test("it is made again when it is deleted, and goes with the operator's configuration", async () => {
      await cluster.api.delete(resources.clusterOperators, { name: "example" }, cluster.signal);
      await degradedIs("False AsExpected");
      assert.equal(listAt(await find(), "status", "versions").length, 2);
      await cluster.api.delete(resource, operatorKey, cluster.signal);
      await cluster.eventually(async () => assert.equal(await find(), undefined));
    });
  });
}
