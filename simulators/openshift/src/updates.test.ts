import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ClusterClient, KubeObject } from "@keelson/apiserver";
import { listAt, stringAt } from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { conditionStatus } from "@keelson/kube";
import { conditionOf } from "./base/conditions.ts";
import { resources } from "./base/resources.ts";
import { clusterOperators } from "./controllers/cluster-operators/facts.ts";
import { operatorVersion } from "./controllers/cluster-operators/plan.ts";
import { assertComplete, assertPoolsUpdated, installed } from "./testing/installed-cluster.ts";

const key = { name: "version" };

const clusterVersion = (client: ClusterClient) => client.get(resources.clusterVersions, key);

async function update(client: ClusterClient, desiredUpdate: object): Promise<void> {
  await client.mergePatch(resources.clusterVersions, key, { spec: { desiredUpdate } });
}

const historyOf = (version: KubeObject) =>
  listAt(version, "status", "history").map((entry) => [stringAt(entry, "version"), stringAt(entry, "state")]);

/** Records the order in which cluster operators reach a version. */
function watchOperators(client: ClusterClient, version: string) {
  const stopping = new AbortController();
  const reached: string[] = [];
  const watching = (async () => {
    for await (const event of client.watch(resources.clusterOperators, {}, stopping.signal)) {
      if (event.type === "BOOKMARK") continue;
      const { name } = event.object.metadata;
      if (operatorVersion(event.object) === version && !reached.includes(name)) reached.push(name);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await watching;
      return reached;
    },
  };
}

describe("an update", { timeout: 900_000 }, () => {
  test("from 4.18 to 4.19 completes: operators in order, then machines, with history, versions and kubelets", async () => {
    await using world = await installed({ openShiftVersion: "4.18.26", workers: 2 });
    const { client, cluster } = world;
    await eventually(() => assertPoolsUpdated(client));
    const watching = watchOperators(client, "4.19.24");
    await update(client, { version: "4.19.24" });
    const working = await eventually(async () => {
      const version = await clusterVersion(client);
      assert.equal(conditionStatus(version, "Progressing"), "True");
      return version;
    });
    assert.match(
      conditionOf(working, "Progressing").message ?? "",
      /^Working towards 4\.19\.24: \d+ of \d+ done/,
    );
    assert.equal(conditionStatus(working, "Available"), "True");
    const done = await eventually(async () => {
      const version = await clusterVersion(client);
      assert.deepEqual(historyOf(version), [
        ["4.19.24", "Completed"],
        ["4.18.26", "Completed"],
      ]);
      return version;
    });
    const [entry] = listAt(done, "status", "history");
    assert.match(stringAt(entry, "startedTime") ?? "", /^\d{4}-.*Z$/);
    assert.match(stringAt(entry, "completionTime") ?? "", /^\d{4}-.*Z$/);
    assert.match(stringAt(entry, "image") ?? "", /ocp-release@sha256:[0-9a-f]{64}$/);
    assert.equal(conditionOf(done, "Progressing").message, "Cluster version is 4.19.24");
    await eventually(async () => {
      await assertComplete(client, 2);
      await assertPoolsUpdated(client);
      for (const node of (await client.list(resources.nodes)).items)
        assert.equal(stringAt(node, "status", "nodeInfo", "kubeletVersion"), "v1.32.9");
    });
    const names = clusterOperators.map(({ name }) => name).filter((name) => name !== "machine-config");
    assert.deepEqual(await watching.stop(), [...names, "machine-config"]);
    assert.equal(cluster.url.includes("demo"), true);
    const apiServer = await client.get(resources.clusterOperators, { name: "kube-apiserver" });
    assert.deepEqual(
      listAt(apiServer, "status", "versions").map((each) => stringAt(each, "version")),
      ["4.19.24", "4.19.24", "1.32.9"],
    );
  });

  test("stops at a degraded operator and resumes when it recovers", async () => {
    await using world = await installed({ openShiftVersion: "4.18.26", workers: 2 });
    const { client } = world;
    const { faults } = world.simulated;
    const fault = faults.set({
      kind: "operator-degraded",
      parameters: { operator: "dns", message: "no upstream" },
    });
    await eventually(async () => {
      const dns = await client.get(resources.clusterOperators, { name: "dns" });
      assert.partialDeepStrictEqual(conditionOf(dns, "Degraded"), { status: "True", message: "no upstream" });
    });
    await update(client, { version: "4.19.24" });
    await eventually(async () => {
      const version = await clusterVersion(client);
      assert.equal(conditionOf(version, "Failing").reason, "ClusterOperatorDegraded");
      assert.equal(
        conditionOf(version, "Progressing").message,
        "Unable to apply 4.19.24: the cluster operator dns is degraded",
      );
      const before = await client.get(resources.clusterOperators, { name: "machine-approver" });
      assert.equal(operatorVersion(before), "4.19.24");
    });
    const after = await client.get(resources.clusterOperators, { name: "service-ca" });
    assert.equal(operatorVersion(after), "4.18.26");
    faults.clear(fault.id);
    await eventually(async () => {
      const version = await clusterVersion(client);
      assert.deepEqual(historyOf(version)[0], ["4.19.24", "Completed"]);
      assert.equal(conditionStatus(version, "Failing"), "False");
    });
  });

  test("with a payload that cannot be loaded does not change the cluster", async () => {
    await using world = await installed({ openShiftVersion: "4.18.26", workers: 2 });
    const { client } = world;
    const { faults } = world.simulated;
    faults.set({
      kind: "release-rejected",
      parameters: { version: "4.19.24", message: "signature expired" },
    });
    await update(client, { version: "4.19.24" });
    await eventually(async () => {
      const version = await clusterVersion(client);
      const { status, reason, message = "" } = conditionOf(version, "ReleaseAccepted");
      assert.deepEqual([status, reason], ["False", "RetrievePayload"]);
      assert.match(message, /^Retrieving payload failed version="4\.19\.24" .*failure=signature expired$/);
      assert.deepEqual(historyOf(version), [["4.18.26", "Completed"]]);
    });
    faults.clear();
    await eventually(async () => {
      assert.deepEqual(historyOf(await clusterVersion(client))[0], ["4.19.24", "Completed"]);
    });
  });

  test("is offered as programmed in the update service", async () => {
    await using world = await installed({ openShiftVersion: "4.18.26", workers: 2 });
    const { client } = world;
    await client.mergePatch(resources.clusterVersions, key, { spec: { channel: "stable-4.19" } });
    const offered = async () =>
      listAt(await clusterVersion(client), "status", "availableUpdates").map((each) =>
        stringAt(each, "version"),
      );
    await eventually(async () => assert.deepEqual(await offered(), ["4.19.24", "4.18.28", "4.18.27"]));
    const node = (version: string) => ({ version, payload: `quay.io/x@sha256:${version}`, metadata: {} });
    world.simulated.updates.program({ nodes: [node("4.18.26"), node("4.18.30")], edges: [[0, 1]] });
    await eventually(async () => assert.deepEqual(await offered(), ["4.18.30"]));
    world.simulated.updates.program({ nodes: [], edges: [] });
    await eventually(async () => {
      assert.deepEqual(await offered(), []);
      assert.equal(conditionOf(await clusterVersion(client), "RetrievedUpdates").reason, "VersionNotFound");
    });
  });
});
