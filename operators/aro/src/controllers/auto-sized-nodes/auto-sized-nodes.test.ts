import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { resources } from "@keelson/kube";
import {
  condition,
  provesRepair,
  putClusterHistory,
  type TestCluster,
  type TestOperator,
  testServers,
} from "../../testing/index.ts";
import { autoSizedNodes } from "./controller.ts";

const { clusterVersions, kubeletConfigs } = resources;
const key = { name: "dynamic-node" };

for (const { name, start } of testServers) {
  describe(`auto-sized nodes on ${name}`, () => {
    let cluster: TestCluster;
    let operator: TestOperator;
    const find = () => cluster.api.find(kubeletConfigs, key, cluster.signal);
    const flags = (operatorflags: Readonly<Record<string, string>>) => cluster.configure({ operatorflags });
    before(async () => {
      cluster = await start({ kinds: [clusterVersions, kubeletConfigs] });
      operator = await cluster.start({ controllers: [autoSizedNodes] });
    });
    after(() => cluster[Symbol.asyncDispose]());

    test("without a readable ClusterVersion the controller is Degraded and changes nothing", async () => {
      await cluster.eventually(async () =>
        assert.match(
          (await condition(cluster, "AutoSizedNodesControllerDegraded")).message,
          /^error getting the ClusterVersion: /,
        ),
      );
      assert.equal(await find(), undefined);
    });

    test("nodes of an idle cluster do not reboot for it", async () => {
      await putClusterHistory(cluster, { version: "4.19.24", state: "Completed" });
      await cluster.eventually(async () =>
        assert.equal((await condition(cluster, "AutoSizedNodesControllerDegraded")).status, "False"),
      );
      await operator.quiet();
      assert.equal(await find(), undefined);
    });

    test("a cluster in installation or upgrade gets it", async () => {
      await putClusterHistory(cluster, { version: "4.19.24", state: "Partial" });
      const found = await cluster.eventually(async () => (await find()) ?? assert.fail("missing"));
      assert.deepEqual(found.spec, {
        autoSizingReserved: true,
        machineConfigPoolSelector: {
          matchExpressions: [{ key: "machineconfiguration.openshift.io/mco-built-in", operator: "Exists" }],
        },
      });
      await putClusterHistory(cluster, { version: "4.19.24", state: "Completed" });
    });

    test("it is repaired immediately when forced", async () => {
      await flags({ "aro.forcereconciliation": "true" });
      await provesRepair(cluster, operator, {
        resource: kubeletConfigs,
        key,
        edit: { spec: { autoSizingReserved: false } },
      });
      await flags({ "aro.forcereconciliation": "false" });
    });

    test("fields of other managers are preserved", async () => {
      const logLevel = 4;
      await cluster.api.mergePatch(
        kubeletConfigs,
        key,
        { spec: { logLevel, autoSizingReserved: false } },
        cluster.signal,
      );
      await flags({ "aro.forcereconciliation": "true" });
      await cluster.eventually(async () => {
        const spec = (await find())?.spec as Record<string, unknown>;
        assert.deepEqual([spec.autoSizingReserved, spec.logLevel], [true, logLevel]);
      });
      await flags({ "aro.forcereconciliation": "false" });
    });

    test("it is deleted with the flag off as soon as nodes may reboot", async () => {
      await flags({ "aro.autosizednodes.enabled": "false" });
      await operator.quiet();
      assert.ok(await find());
      await putClusterHistory(cluster, { version: "4.20.1", state: "Partial" });
      await cluster.eventually(async () => assert.equal(await find(), undefined));
    });
  });
}
