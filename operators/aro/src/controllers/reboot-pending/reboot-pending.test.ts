import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { systemClock } from "@keelson/base";
import { resources } from "@keelson/kube";
import {
  condition,
  putClusterHistory,
  putPool,
  type TestCluster,
  type TestOperator,
  testServers,
} from "../../testing/index.ts";
import { autoSizedNodes } from "../auto-sized-nodes/controller.ts";
import { dnsmasq } from "../dnsmasq/controller.ts";
import { etcHosts } from "../etc-hosts/controller.ts";
import { workaround } from "../workaround/controller.ts";
import { rebootPendingController } from "./controller.ts";
import { rebootPending } from "./pending-changes.ts";

const { clusterVersions, kubeletConfigs, machineConfigs, machineConfigPools, operatorNetworks } = resources;
const idle = { version: "4.21.20", state: "Completed" } as const;

for (const { name, start } of testServers) {
  describe(`pending reboots on ${name}`, () => {
    let cluster: TestCluster;
    let operator: TestOperator;
    const says = (status: string, reason: string, message: RegExp) =>
      cluster.eventually(async () => {
        const found = await condition(cluster, "RebootPending");
        assert.deepEqual([found.status, found.reason], [status, reason]);
        assert.match(found.message, message);
      });
    before(async () => {
      cluster = await start({
        kinds: [clusterVersions, kubeletConfigs, machineConfigs, machineConfigPools, operatorNetworks],
      });
      await putPool(cluster, "master");
      await putPool(cluster, "worker");
      operator = await cluster.start({
        controllers: [rebootPendingController, autoSizedNodes, dnsmasq, etcHosts, workaround],
      });
    });
    after(() => cluster[Symbol.asyncDispose]());

    test("without a ClusterVersion nothing is known", () => says("Unknown", "PlanFailed", /not found$/));

    test("pending changes are named, all others are applied", async () => {
      await putClusterHistory(cluster, idle);
      await says(
        "True",
        "WaitsForUpgrade",
        /: create KubeletConfig dynamic-node, create MachineConfig 99-master-aro-etc-hosts-gateway-domains, create MachineConfig 99-worker-aro-etc-hosts-gateway-domains$/,
      );
      const { items } = await cluster.api.list(machineConfigs, {}, cluster.signal);
      assert.deepEqual(items.map(({ metadata }) => metadata.name).toSorted(), [
        "99-master-aro-dns",
        "99-worker-aro-dns",
      ]);
    });

    test("an upgrade applies it, and nothing is pending", async () => {
      await putClusterHistory(cluster, { version: "4.21.21", state: "Partial" }, idle);
      await says("False", "AsExpected", /^$/);
      await cluster.eventually(() =>
        cluster.api.get(kubeletConfigs, { name: "dynamic-node" }, cluster.signal),
      );
      await operator.quiet();
      await putClusterHistory(cluster, { ...idle, version: "4.21.21" }, idle);
      await operator.quiet();
      await says("False", "AsExpected", /^$/);
    });

    test("an edit waits, a controller that is switched off has nothing to wait for", async () => {
      const key = { name: "99-worker-aro-dns" };
      await cluster.api.mergePatch(
        machineConfigs,
        key,
        { spec: { config: { systemd: { units: [] } } } },
        cluster.signal,
      );
      await says("True", "WaitsForUpgrade", /: update MachineConfig 99-worker-aro-dns$/);
      await cluster.configure({ operatorflags: { "aro.dnsmasq.enabled": "false" } });
      await says("False", "AsExpected", /^$/);
      await cluster.configure({ operatorflags: { "aro.dnsmasq.enabled": "true" } });
      await says("True", "WaitsForUpgrade", /99-worker-aro-dns$/);
      await cluster.configure({ operatorflags: { "aro.forcereconciliation": "true" } });
      await says("False", "AsExpected", /^$/);
      await cluster.configure({ operatorflags: { "aro.forcereconciliation": "false" } });
    });

    test("it changes with nothing else, and costs no write then", async () => {
      await operator.quiet();
      const before = await operator.writes();
      await cluster.configure({ banner: { content: "ContactSupport" } });
      await operator.quiet();
      assert.equal(await operator.writes(), before);
    });
  });
}

test("a stopping process reports no failure", async () => {
  const stop = new AbortController();
  const cluster = { apiVersion: "", kind: "", metadata: { name: "cluster" } };
  const find = async () => stop.signal.throwIfAborted();
  const request = { cluster, flags: {}, objects: { find }, clock: systemClock, signal: stop.signal };
  const plan = async () => [];
  stop.abort(new Error("draining"));
  await assert.rejects(rebootPending(request as never, [{ reportsAs: "A", plan }]), /draining/);
});
