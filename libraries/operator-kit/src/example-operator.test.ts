import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { listAt, numberAt, stringAt, valueAt } from "@keelson/base";
import { type KubeObject, resources } from "@keelson/kube";
import {
  backingResources,
  configObservation,
  ensureData,
  guard,
  installer,
  mergeConfigs,
  missingStaticPods,
  nodes,
  type OperatorParts,
  OperatorVersions,
  operatorController,
  operatorKey,
  operatorStatus,
  pendingInstallers,
  pruner,
  replacementMs,
  revisions,
  type StaticPod,
  SyncRuleSet,
  staleConditions,
  staticPodState,
  unsupportedConfigOverrides,
  watchSources,
} from "./index.ts";
import { type KitCluster, type KitOperator, kitServers, startKitOperator } from "./testing/index.ts";

// Example static pod that is unrelated to Kubernetes. The library contains none of these names.
const namespace = "turbine";
const resource = resources.etcds;
const masters = ["master-0", "master-1", "master-2"];
const pod: StaticPod = {
  resource,
  name: "turbine",
  namespace,
  revisioned: {
    configMaps: [{ name: "turbine-pod" }, { name: "config" }],
    secrets: [{ name: "key", optional: true }],
  },
  live: { configMaps: [], secrets: [] },
  certDir: "turbine-certs",
  operatorImage: "example.io/turbine-operator",
  installerCommand: ["turbine-operator", "installer"],
  prunerCommand: ["turbine-operator", "prune"],
};
const image = "example.io/turbine:2";

const target = operatorController<OperatorParts>(resource, {
  name: "TargetConfigController",
  degraded: { type: "TargetConfigControllerDegraded", failed: "SynchronizationError" },
  watches: watchSources(pod),
  async reconcile({ configuration, objects }) {
    const observed = valueAt(configuration, "spec", "observedConfig") ?? {};
    const config = mergeConfigs([{ speed: 1 }, observed as Record<string, unknown>]);
    const write = (name: string, data: Record<string, string>) =>
      ensureData(objects, resources.configMaps, { metadata: { namespace, name }, data });
    await write("config", { "config.yaml": JSON.stringify(config) });
    await write("turbine-pod", { "pod.yaml": JSON.stringify({ kind: "Pod", spec: { image } }) });
    return {};
  },
});

for (const { name, start } of kitServers) {
  describe(`an operator of a static pod on ${name}`, () => {
    let cluster: KitCluster;
    let operator: KitOperator;
    let broken = false;
    let isGuarded = true;
    /** One entry for each observation of the mirror pods: the revisions that the nodes served at that time. */
    const served: (readonly (string | undefined)[])[] = [];

    const configuration = () => cluster.api.get(resource, operatorKey, cluster.signal);
    const pods = async (selector: string) =>
      (await cluster.api.list(resources.pods, { namespace, labelSelector: selector }, cluster.signal)).items;

    /** Simulates kubelets. Runs the installer pods, then the static pods that the installers wrote. */
    async function kubelets(): Promise<void> {
      for (const installed of await pods("app in (installer, pruner)")) {
        const { name } = installed.metadata;
        if (stringAt(installed, "status", "phase") === "Succeeded") continue;
        const status = { phase: "Succeeded" };
        await cluster.api.mergePatch(
          resources.pods,
          { namespace, name },
          { status },
          cluster.signal,
          "status",
        );
        if (installed.metadata.labels?.app === "installer") await runStaticPod(installed);
      }
      const mirrors = await pods("app=turbine");
      served.push(
        masters.map(
          (node) =>
            mirrors.find((each) => each.metadata.name === `turbine-${node}`)?.metadata.labels?.revision,
        ),
      );
    }

    async function runStaticPod(installed: KubeObject): Promise<void> {
      const node = stringAt(installed, "spec", "nodeName") ?? "";
      const args = listAt(listAt(installed, "spec", "containers")[0], "args");
      const revision = args.find((each) => String(each).startsWith("--revision=")) ?? "";
      const key = { namespace, name: `turbine-${node}` };
      await cluster.api.delete(resources.pods, key, cluster.signal, { gracePeriodSeconds: 0 });
      await cluster.put(resources.pods, {
        metadata: {
          ...key,
          labels: { app: "turbine", revision: String(revision).slice("--revision=".length) },
        },
        spec: { nodeName: node, containers: [{ name: "turbine", image }], terminationGracePeriodSeconds: 0 },
        status: broken ? { phase: "Failed", message: "the blades are bent" } : running,
      });
    }
    const running = {
      phase: "Running",
      podIP: "10.0.0.1",
      conditions: [{ type: "Ready", status: "True", lastTransitionTime: "2026-01-01T00:00:00Z" }],
      containerStatuses: [
        {
          name: "turbine",
          image,
          imageID: "",
          ready: true,
          restartCount: 0,
          state: { running: { startedAt: "2026-01-01T00:00:00Z" } },
        },
      ],
    };
    const revisionsOf = async () =>
      listAt(await configuration(), "status", "nodeStatuses").map((each) =>
        numberAt(each, "currentRevision"),
      );
    const rolledOut = (revision: number) =>
      cluster.eventually(async () => {
        await kubelets();
        assert.deepEqual(
          await revisionsOf(),
          [revision, revision, revision],
          JSON.stringify((await configuration()).status),
        );
      });
    const conditionsOf = (object: KubeObject) =>
      Object.fromEntries(
        listAt(object, "status", "conditions").map((each) => [
          stringAt(each, "type") ?? "",
          [stringAt(each, "status"), stringAt(each, "reason") ?? ""].join(" ").trim(),
        ]),
      );
    const settings = (speed: number) =>
      cluster.put(resources.configMaps, {
        metadata: { namespace, name: "settings" },
        data: { speed: `${speed}` },
      });
    const run = async () => {
      const versions = new OperatorVersions();
      operator = await startKitOperator(cluster, {
        resource,
        instance: "turbine",
        namespace: "turbine-operator",
        parts: (parts: OperatorParts) => parts,
        controllers: [
          configObservation({
            resource,
            syncRules: new SyncRuleSet(),
            observers: [
              {
                name: "speed",
                paths: [["speed"]],
                inputs: [{ resource: resources.configMaps, selection: { namespace } }],
                observe({ objects }) {
                  const found = objects.find(resources.configMaps, { namespace, name: "settings" });
                  return { config: { speed: Number(stringAt(found, "data", "speed")) } };
                },
              },
            ],
          }),
          target,
          revisions({ pod }),
          installer({ pod, minReadyMs: 0 }),
          pruner(pod),
          nodes(pod),
          backingResources(pod),
          guard({ pod, readiness: { port: 8443, path: "spinning" }, when: () => isGuarded }),
          pendingInstallers(pod),
          missingStaticPods({ pod, toleratedMs: () => replacementMs.several }),
          unsupportedConfigOverrides(resource),
          staleConditions(resource, ["Available"]),
          staticPodState({ pod, versions, image, reached: { turbine: "2.0.0", operator: "2.0.1" } }),
          operatorStatus({
            resource,
            name: "turbine",
            versions,
            relatedObjects: [{ group: "", resource: "namespaces", name: namespace }],
          }),
        ],
      });
    };

    before(async () => {
      cluster = await start({ kinds: [resource, resources.clusterOperators] });
      for (const each of [namespace, "turbine-operator"])
        await cluster.put(resources.namespaces, { metadata: { name: each } });
      await cluster.put(resources.serviceAccounts, { metadata: { namespace, name: "default" } });
      for (const each of masters)
        await cluster.put(resources.nodes, {
          metadata: { name: each, labels: { "node-role.kubernetes.io/master": "" } },
          status: {
            conditions: [{ type: "Ready", status: "True", lastTransitionTime: "2026-01-01T00:00:00Z" }],
          },
        });
      await settings(1);
      await cluster.put(resource, {
        metadata: operatorKey,
        spec: { managementState: "Managed", succeededRevisionLimit: 1, failedRevisionLimit: 1 },
      });
      await run();
    });
    after(async () => {
      await operator[Symbol.asyncDispose]();
      await cluster[Symbol.asyncDispose]();
    });

    test("the first revision reaches every master, and the operator reports Available", async () => {
      await rolledOut(1);
      await cluster.eventually(async () => {
        const { Available, Progressing, Degraded, Upgradeable } = conditionsOf(
          await cluster.api.get(resources.clusterOperators, { name: "turbine" }, cluster.signal),
        );
        assert.deepEqual(
          { Available, Progressing, Degraded, Upgradeable },
          {
            Available: "True AsExpected",
            Progressing: "False AsExpected",
            Degraded: "False AsExpected",
            Upgradeable: "True AsExpected",
          },
        );
      });
      const clusterOperator = await cluster.eventually(async () => {
        const found = await cluster.api.get(resources.clusterOperators, { name: "turbine" }, cluster.signal);
        assert.equal(listAt(found, "status", "versions").length, 2);
        return found;
      });
      assert.deepEqual(valueAt(clusterOperator, "status", "versions"), [
        { name: "turbine", version: "2.0.0" },
        { name: "operator", version: "2.0.1" },
      ]);
    });

    test("each master has a guard, of which a drain may take one", async () => {
      await cluster.eventually(async () => {
        const guards = await pods("app=guard");
        assert.deepEqual(
          guards.map(({ metadata }) => metadata.name).sort(),
          masters.map((node) => `turbine-guard-${node}`),
        );
      });
      const key = { namespace, name: "turbine-guard-pdb" };
      const budget = await cluster.api.get(resources.podDisruptionBudgets, key, cluster.signal);
      assert.equal(numberAt(budget, "spec", "minAvailable"), 2);
      await cluster.api.delete(
        resources.pods,
        { namespace, name: "turbine-guard-master-1" },
        cluster.signal,
        { gracePeriodSeconds: 0 },
      );
      await cluster.eventually(async () => assert.equal((await pods("app=guard")).length, 3));
    });

    test("overrides and conditions of earlier versions: the first hold upgrades up, the second go", async () => {
      const override = (value: unknown) =>
        cluster.api.mergePatch(
          resource,
          operatorKey,
          { spec: { unsupportedConfigOverrides: value } },
          cluster.signal,
        );
      await override({ blades: { count: 4 } });
      const conditions = [
        ...listAt(await configuration(), "status", "conditions"),
        { type: "Available", status: "True", lastTransitionTime: "2026-01-01T00:00:00Z" },
      ];
      await cluster.api.mergePatch(
        resource,
        operatorKey,
        { status: { conditions } },
        cluster.signal,
        "status",
      );
      await cluster.eventually(async () => {
        const { Available, UnsupportedConfigOverridesUpgradeable } = conditionsOf(await configuration());
        assert.equal(Available, undefined);
        assert.equal(UnsupportedConfigOverridesUpgradeable, "False UnsupportedConfigOverridesSet");
      });
      await override(null);
    });

    test("what changes is a new revision, which goes round one node at a time", async () => {
      await operator.quiet();
      served.length = 0;
      await settings(2);
      await rolledOut(2);
      const status = await cluster.api.get(
        resources.configMaps,
        { namespace, name: "revision-status-2" },
        cluster.signal,
      );
      assert.equal(valueAt(status, "data", "reason"), "required configmap/config has changed");
      // Each observation shows at most one additional node at the new revision.
      const moved = served.map((each) => each.filter((revision) => revision === "2").length);
      assert.ok(
        moved.every((count, index) => count - (moved[index - 1] ?? 0) <= 1),
        `${moved}`,
      );
    });

    test("nothing is written while nothing changes, also after a restart", async () => {
      await operator.quiet();
      await operator[Symbol.asyncDispose]();
      await run();
      await operator.quiet();
      assert.equal(await operator.writes(), 0);
    });

    test("a failing revision stops at its first node, and a newer revision repairs it", async () => {
      broken = true;
      await settings(3);
      const status = await cluster.eventually(async () => {
        await kubelets();
        const found = listAt(await configuration(), "status", "nodeStatuses");
        const failed = found.filter((each) => numberAt(each, "lastFailedRevision") === 3);
        assert.equal(failed.length, 1);
        return failed[0];
      });
      assert.equal(stringAt(status, "lastFailedReason"), "OperandFailed");
      assert.deepEqual(listAt(status, "lastFailedRevisionErrors"), ["the blades are bent"]);
      assert.deepEqual(
        (await revisionsOf()).filter((revision) => revision === 3),
        [],
      );
      broken = false;
      await settings(4);
      await rolledOut(4);
    });

    test("the operator may end at any time during a rollout", async () => {
      await settings(5);
      for (let ends = 0; ends < 3; ends++) {
        await kubelets();
        await operator[Symbol.asyncDispose]();
        await run();
      }
      await rolledOut(5);
    });

    test("unneeded revisions are pruned, and their numbers are not used again", async () => {
      await cluster.eventually(async () => {
        await kubelets();
        const { items } = await cluster.api.list(resources.configMaps, { namespace }, cluster.signal);
        const left = items
          .map(({ metadata }) => metadata.name)
          .filter((each) => each.startsWith("revision-status-"));
        assert.deepEqual(
          left.filter((each) => !/-[345]$/.test(each)),
          [],
        );
      });
      await cluster.api.delete(
        resources.configMaps,
        { namespace, name: "revision-status-5" },
        cluster.signal,
      );
      await cluster.api.delete(resources.configMaps, { namespace, name: "config-5" }, cluster.signal);
      await rolledOut(6);
    });

    test("an entry of an older release without a UID gets the UID of its master", async () => {
      const { metadata } = await cluster.api.get(resources.nodes, { name: "master-1" }, cluster.signal);
      const uidAt = async () => {
        const entries = listAt(await configuration(), "status", "nodeStatuses");
        const index = entries.findIndex((each) => stringAt(each, "nodeName") === "master-1");
        return { index, uid: stringAt(entries[index], "nodeUID") };
      };
      const { index } = await uidAt();
      const path = `/status/nodeStatuses/${index}/nodeUID`;
      await cluster.api.jsonPatch(resource, operatorKey, [{ op: "remove", path }], cluster.signal, "status");
      await cluster.eventually(async () => assert.equal((await uidAt()).uid, metadata.uid));
    });

    test("a master that is gone leaves, a new one gets the latest revision", async () => {
      await cluster.api.delete(resources.nodes, { name: "master-2" }, cluster.signal);
      await cluster.eventually(async () => assert.equal((await revisionsOf()).length, 2));
      await cluster.put(resources.nodes, {
        metadata: { name: "master-2", labels: { "node-role.kubernetes.io/master": "" } },
      });
      await rolledOut(6);
      await cluster.eventually(async () =>
        assert.equal(conditionsOf(await configuration()).NodeControllerDegraded, "True MasterNodesReady"),
      );
    });

    test("guards, their budget and their account go when they are not wanted, as on a single master", async () => {
      isGuarded = false;
      const account = { namespace, name: "guard-sa" };
      assert.ok(await cluster.api.find(resources.serviceAccounts, account, cluster.signal));
      await cluster.api.delete(
        resources.podDisruptionBudgets,
        { namespace, name: "turbine-guard-pdb" },
        cluster.signal,
      );
      await cluster.eventually(async () => {
        assert.equal(await cluster.api.find(resources.serviceAccounts, account, cluster.signal), undefined);
        const left = (await pods("app=guard")).filter(({ metadata }) => !metadata.deletionTimestamp);
        assert.equal(left.length, 0);
      });
    });
  });
}
