import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { clusters, singleton } from "@keelson/aro-api";
import { resources } from "@keelson/kube";
import {
  condition,
  provesRepair,
  putClusterHistory,
  type TestCluster,
  type TestOperator,
  testServers,
} from "../../testing/index.ts";
import { machineHealthCheckController } from "./controller.ts";

const { clusterVersions, machineHealthChecks, prometheusRules } = resources;
const key = { namespace: "openshift-machine-api", name: "aro-machinehealthcheck" };
const paused = "cluster.x-k8s.io/paused";

for (const { name, start } of testServers) {
  describe(`the MachineHealthCheck on ${name}`, () => {
    let cluster: TestCluster;
    let operator: TestOperator;
    const found = () => cluster.api.find(machineHealthChecks, key, cluster.signal);
    before(async () => {
      cluster = await start({ kinds: [clusterVersions, machineHealthChecks, prometheusRules] });
      await putClusterHistory(cluster, { version: "4.19.24", state: "Completed" });
      await cluster.put(resources.namespaces, { metadata: { name: key.namespace } });
      operator = await cluster.start({ controllers: [machineHealthCheckController] });
    });
    after(() => cluster[Symbol.asyncDispose]());

    test("acceptance 18: it is recreated when deleted, repaired when edited and owned by the Cluster", async () => {
      await provesRepair(cluster, operator, {
        resource: machineHealthChecks,
        key,
        edit: {
          spec: {
            maxUnhealthy: "50%",
            unhealthyConditions: [{ type: "Ready", status: "False", timeout: "1s" }],
          },
        },
      });
      const owner = await cluster.api.get(clusters, singleton, cluster.signal);
      assert.equal((await found())?.metadata.ownerReferences?.[0]?.uid, owner.metadata.uid);
    });

    test("acceptance 18: an upgrade pauses it, and its completion resumes it", async () => {
      await putClusterHistory(
        cluster,
        { version: "4.20.1", state: "Partial" },
        { version: "4.19.24", state: "Completed" },
      );
      await cluster.eventually(async () => assert.equal((await found())?.metadata.annotations?.[paused], ""));
      await putClusterHistory(
        cluster,
        { version: "4.20.1", state: "Completed" },
        { version: "4.19.24", state: "Completed" },
      );
      await cluster.eventually(async () =>
        assert.equal((await found())?.metadata.annotations?.[paused], undefined),
      );
    });

    test("acceptance 10: Progressing with a completed history is not an upgrade", async () => {
      const conditions = [
        {
          type: "Progressing",
          status: "True",
          lastTransitionTime: "2026-01-01T00:00:00Z",
          reason: "Nodes",
          message: "",
        },
      ];
      await cluster.api.mergePatch(
        clusterVersions,
        { name: "version" },
        { status: { conditions } },
        cluster.signal,
        "status",
      );
      await cluster.api.delete(machineHealthChecks, key, cluster.signal);
      await cluster.eventually(async () => assert.ok(await found()));
      await operator.quiet();
      assert.equal((await found())?.metadata.annotations?.[paused], undefined);
    });

    test("an old alert is removed", async () => {
      const old = { namespace: key.namespace, name: "mhc-remediation-alert" };
      await cluster.put(prometheusRules, { metadata: old, spec: { groups: [] } });
      await cluster.eventually(async () =>
        assert.equal(await cluster.api.find(prometheusRules, old, cluster.signal), undefined),
      );
    });

    test("acceptance 18: it is deleted when it is not managed", async () => {
      await cluster.configure({ operatorflags: { "aro.machinehealthcheck.managed": "false" } });
      await cluster.eventually(async () => assert.equal(await found(), undefined));
      assert.equal((await condition(cluster, "MachineHealthCheckControllerDegraded")).status, "False");
    });
  });
}
