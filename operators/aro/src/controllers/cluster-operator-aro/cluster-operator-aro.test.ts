import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { clusters, singleton } from "@keelson/aro-api";
import { listAt, stringAt, valueAt } from "@keelson/base";
import { conditionStatus, resources } from "@keelson/kube";
import { type TestCluster, type TestOperator, testServers } from "../../testing/index.ts";
import { banner } from "../banner/controller.ts";
import { clusterOperatorAro } from "./controller.ts";
import { unionCondition } from "./union-condition.ts";

const conditions = (...list: readonly (readonly [string, string, string?, string?])[]) => ({
  status: { conditions: list.map(([type, status, reason, message]) => ({ type, status, reason, message })) },
});
const unions = [
  {
    name: "nothing reported",
    of: conditions(["MachineValid", "True"]),
    is: { status: "Unknown", reason: "NoData", message: "" },
  },
  {
    name: "all well",
    of: conditions(["AControllerAvailable", "True"], ["BControllerAvailable", "True", "Well"]),
    is: { status: "True", reason: "AsExpected", message: "All is well" },
  },
  {
    name: "one is not, one is unknown",
    of: conditions(
      ["BControllerAvailable", "Unknown"],
      ["AControllerAvailable", "False", "Broken", "first\nsecond\n"],
      ["CControllerAvailable", "True", "", "unseen"],
    ),
    is: {
      status: "False",
      reason: "AController_Broken::BController",
      message: "AControllerAvailable: first\nAControllerAvailable: second",
    },
  },
  {
    name: "one is unknown",
    of: conditions(["BControllerAvailable", "Unknown", "Late"]),
    is: { status: "Unknown", reason: "BController_Late", message: "" },
  },
];
for (const { name, of, is } of unions)
  test(`the union of conditions: ${name}`, () => {
    assert.deepEqual(unionCondition(of, "Available", "True"), { type: "Available", ...is });
  });

for (const { name, start } of testServers) {
  describe(`the ClusterOperator on ${name}`, () => {
    let cluster: TestCluster;
    let operator: TestOperator;
    const found = () => cluster.api.get(resources.clusterOperators, { name: "aro" }, cluster.signal);
    before(async () => {
      cluster = await start({ kinds: [resources.clusterOperators, resources.consoleNotifications] });
      operator = await cluster.start({ controllers: [banner, clusterOperatorAro] });
    });
    after(() => cluster[Symbol.asyncDispose]());

    test("it is Unknown with reason NoData before the Cluster has conditions, and owned by the Cluster", async () => {
      const live = await cluster.eventually(async () => {
        const live = await found();
        assert.equal(conditionStatus(live, "Degraded"), "False");
        return live;
      });
      const owner = await cluster.api.get(clusters, singleton, cluster.signal);
      assert.equal(live.metadata.ownerReferences?.[0]?.uid, owner.metadata.uid);
      assert.deepEqual(
        listAt(live, "status", "conditions").map((each) =>
          ["type", "status", "reason"].map((name) => stringAt(each, name)).join(" "),
        ),
        ["Available Unknown NoData", "Progressing Unknown NoData", "Degraded False AsExpected"],
      );
      assert.deepEqual(valueAt(live, "status", "versions"), [{ name: "operator", version: "test" }]);
    });

    test("acceptance 26: it is Available and not Degraded, even when a controller is Degraded", async () => {
      const flags = { "aro.banner.enabled": "true" };
      await cluster.configure({ banner: { content: "Other" }, operatorflags: flags });
      await cluster.eventually(async () => {
        const of = await cluster.api.get(clusters, singleton, cluster.signal);
        assert.equal(conditionStatus(of, "BannerControllerDegraded"), "True");
        const live = await found();
        const types = ["Available", "Progressing", "Degraded"];
        assert.deepEqual(
          types.map((type) => conditionStatus(live, type)),
          ["True", "False", "False"],
        );
      });
      await cluster.configure({ banner: { content: "" } });
    });

    test("an edited status is restored, conditions of other managers are preserved", async () => {
      await operator.quiet();
      const conditions = [
        { type: "Available", status: "False", reason: "Edited", lastTransitionTime: "2026-01-01T00:00:00Z" },
        { type: "Foreign", status: "True", lastTransitionTime: "2026-01-01T00:00:00Z" },
      ];
      const key = { name: "aro" };
      await cluster.api.mergePatch(
        resources.clusterOperators,
        key,
        { status: { conditions } },
        cluster.signal,
        "status",
      );
      await cluster.eventually(async () => {
        const live = await found();
        assert.equal(conditionStatus(live, "Available"), "True");
        assert.equal(conditionStatus(live, "Foreign"), "True");
      });
    });

    test("it and its owner reference are restored after a deletion", async () => {
      const { metadata: before } = await found();
      await cluster.api.delete(resources.clusterOperators, { name: "aro" }, cluster.signal);
      await cluster.eventually(async () => assert.notEqual((await found()).metadata.uid, before.uid));
      const patch = { metadata: { ownerReferences: null } };
      await cluster.api.mergePatch(resources.clusterOperators, { name: "aro" }, patch, cluster.signal);
      await cluster.eventually(async () =>
        assert.equal((await found()).metadata.ownerReferences?.[0]?.kind, "Cluster"),
      );
      await operator.quiet();
      assert.equal(await operator.metric("keelson_controller_noop_writes_total"), 0);
    });
  });
}
