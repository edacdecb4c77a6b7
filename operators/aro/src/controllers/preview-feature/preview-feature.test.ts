import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { previewFeatures, singleton } from "@keelson/aro-api";
import { listAt, stringAt, valueAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import { location } from "@keelson/sim-azure/testing";
import {
  condition,
  putMachineSet,
  putMaster,
  securityGroupId,
  startTestSubscription,
  subnetId,
  subscriptionSpec,
  type TestCluster,
  type TestOperator,
  type TestSubscription,
  testServers,
} from "../../testing/index.ts";
import { previewFeature } from "./controller.ts";

const kinds = [resources.machines, resources.machineSets];
const group = subscriptionSpec.clusterResourceGroupId;
const networkWatcherID = `${group}/providers/Microsoft.Network/networkWatchers/watcher`;
const storageId = `${group}/providers/Microsoft.Storage/storageAccounts/flowlogs`;
const flowLogId = (name: string) => `${networkWatcherID}/flowLogs/${name}`;
const on = { enabled: true, networkWatcherID, storageAccountResourceId: storageId };

for (const { name, start } of testServers) {
  describe(`the preview features on ${name}`, () => {
    let cluster: TestCluster;
    let operator: TestOperator;
    let subscription: TestSubscription;
    const put = (nsgFlowLogs: object) =>
      cluster.put(previewFeatures, { metadata: singleton, spec: { nsgFlowLogs } });
    const set = (nsgFlowLogs: object | null) =>
      cluster.api.mergePatch(previewFeatures, singleton, { spec: { nsgFlowLogs } }, cluster.signal);
    const feature = () => cluster.api.get(previewFeatures, singleton, cluster.signal);
    const conditionOf = async (type: string) => {
      const found = listAt(await feature(), "status", "conditions").find(
        (each) => stringAt(each, "type") === type,
      );
      return [stringAt(found, "status"), stringAt(found, "reason"), stringAt(found, "message") ?? ""];
    };
    const reads = (type: string, expected: readonly string[]) =>
      cluster.eventually(async () => assert.deepEqual(await conditionOf(type), expected));
    const repairs = () =>
      operator.metric("aro_operator_repairs_total", { kind: "flowLogs", result: "success" });
    before(async () => {
      subscription = await startTestSubscription();
      await subscription.put(networkWatcherID, { location });
      await subscription.put(storageId, { location, kind: "StorageV2", sku: { name: "Standard_LRS" } });
      cluster = await start({ kinds, spec: subscriptionSpec });
      await putMachineSet(cluster, "workers", "worker");
      await putMaster(cluster, "master-0", "master");
      operator = await cluster.start({
        controllers: [previewFeature],
        environment: subscription.environment,
      });
    });
    after(async () => {
      await cluster[Symbol.asyncDispose]();
      await subscription[Symbol.asyncDispose]();
    });

    test("without a PreviewFeature nothing is done", async () => {
      await operator.quiet();
      assert.equal((await condition(cluster, "PreviewFeatureControllerDegraded")).status, "False");
      assert.equal(await repairs(), 0);
    });

    test("creates one flow log for a group of two subnets and sets the status", async () => {
      await put(on);
      await reads("NSGFlowLogsEnabled", ["True", "Enabled", "flow logs of 1 network security groups are on"]);
      await reads("NSGFlowLogsDegraded", ["False", "AsExpected", ""]);
      const live = await subscription.get(flowLogId("demo-x1x2x-nsg"));
      assert.equal(valueAt(live, "properties", "retentionPolicy", "days"), 90);
      assert.equal(stringAt(live, "properties", "targetResourceId"), securityGroupId("demo-x1x2x-nsg"));
      await operator.quiet();
      assert.equal(await repairs(), 1);
      const { spec, status } = await feature();
      assert.equal(spec?.nsgFlowLogs?.trafficAnalyticsInterval, "60m", "the text of the interval stays");
      assert.equal(status?.operatorVersion, "test");
    });

    test("a changed setting is one write", async () => {
      await set({ retentionDays: 30 });
      await cluster.eventually(async () => {
        const live = await subscription.get(flowLogId("demo-x1x2x-nsg"));
        assert.equal(valueAt(live, "properties", "retentionPolicy", "days"), 30);
      });
      await operator.quiet();
      assert.equal(await repairs(), 2);
    });

    test("a subnet without a security group is passed over", async () => {
      const live = await subscription.get(subnetId("worker"));
      const { networkSecurityGroup: _, ...properties } = live.properties as Record<string, never>;
      await subscription.put(subnetId("worker"), { ...live, properties });
      await set({ retentionDays: 31 });
      await cluster.eventually(async () => assert.equal(await repairs(), 3));
      await reads("NSGFlowLogsDegraded", ["False", "AsExpected", ""]);
    });

    test("an invalid watcher is reported and retried only after a change", async () => {
      await set({ networkWatcherID: "" });
      const message = "parsing failed for . Invalid resource Id format";
      await reads("NSGFlowLogsDegraded", ["True", "ReconcileFailed", message]);
      await cluster.eventually(async () =>
        assert.equal((await condition(cluster, "PreviewFeatureControllerDegraded")).message, message),
      );
      const reconciles = () =>
        operator.metric("controller_runtime_reconcile_total", { controller: "PreviewFeature" });
      await operator.quiet();
      const before = await reconciles();
      assert.ok(before > 0);
      await operator.quiet(500);
      assert.equal(await reconciles(), before);
      await set({ networkWatcherID });
      await reads("NSGFlowLogsDegraded", ["False", "AsExpected", ""]);
    });

    test("flow logs that are off are deleted", async () => {
      await set({ enabled: false });
      await reads("NSGFlowLogsEnabled", [
        "False",
        "Disabled",
        "flow logs of 1 network security groups are off",
      ]);
      await assert.rejects(subscription.get(flowLogId("demo-x1x2x-nsg")), /404/);
    });

    test("removed settings do not change flow logs, a deleted PreviewFeature is not a failure", async () => {
      await set({ enabled: true });
      await cluster.eventually(() => subscription.get(flowLogId("demo-x1x2x-nsg")));
      await set(null);
      await reads("NSGFlowLogsEnabled", [
        "Unknown",
        "NotConfigured",
        "spec.nsgFlowLogs is not set: flow logs are left alone",
      ]);
      await cluster.api.delete(previewFeatures, singleton, cluster.signal);
      await operator.quiet();
      await subscription.get(flowLogId("demo-x1x2x-nsg"));
      assert.equal((await condition(cluster, "PreviewFeatureControllerDegraded")).status, "False");
    });
  });
}
