import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { listAt, Metrics, numberAt, stringAt, valueAt } from "@keelson/base";
import { type KubeObject, resources } from "@keelson/kube";
import { type OperatorLog, operatorKey } from "@keelson/operator-kit";
import { type KitCluster, type KitOperator, kitServers } from "@keelson/operator-kit/testing";
import { namespaces } from "./config/namespaces.ts";
import { Rollout } from "./testing/rollout.ts";
import { addMasters, TestKubelets } from "./testing/test-kubelets.ts";
import {
  conditionIn,
  fillRecoveryToken,
  inTarget,
  operatorKinds,
  seedCluster,
  startTestOperator,
} from "./testing/test-operator.ts";

for (const { name, start } of kitServers)
  describe(`a cluster that runs its first revision, on ${name}`, () => {
    let cluster: KitCluster;
    let operator: KitOperator;
    let rollout: Rollout;
    const levels: string[] = [];
    const log: OperatorLog = {
      get level() {
        return (levels.at(-1) ?? "Normal") as OperatorLog["level"];
      },
      set: (level) => levels.push(level),
    };
    /**
     * Distinct numbers of masters that were in transition at the same time. The number is observed at each change of the
     * operator's configuration.
     */
    const inTransition = new Set<number>();
    const watching = new AbortController();
    let watched: Promise<void>;

    before(async () => {
      cluster = await start({ kinds: operatorKinds });
      await seedCluster(cluster);
      await addMasters(cluster);
      watched = watchTransitions();
      rollout = new Rollout(cluster, new TestKubelets(cluster));
      operator = await startTestOperator(cluster, new Metrics(), log);
      await fillRecoveryToken(cluster);
      await rollout.finished(async () => assert.ok((await rollout.latest()) > 0));
    });
    after(async () => {
      await operator?.[Symbol.asyncDispose]();
      watching.abort();
      try {
        await watched;
      } finally {
        await cluster?.[Symbol.asyncDispose]();
      }
    });

    async function watchTransitions(): Promise<void> {
      const { resourceVersion } = await cluster.api.list(resources.kubeApiServers, {}, cluster.signal);
      const options = { resourceVersion };
      try {
        for await (const event of cluster.api.watch(resources.kubeApiServers, options, watching.signal)) {
          if (event.type === "BOOKMARK") continue;
          const nodes = listAt(event.object, "status", "nodeStatuses");
          inTransition.add(nodes.filter((each) => (numberAt(each, "targetRevision") ?? 0) !== 0).length);
        }
      } catch (error) {
        if (!watching.signal.aborted) throw error;
      }
    }
    const patchOperator = (spec: object) =>
      cluster.api.mergePatch(resources.kubeApiServers, operatorKey, { spec }, cluster.signal);
    const eventOf = async (reason: string) => {
      const { items } = await cluster.api.list(
        resources.events,
        { namespace: namespaces.operator },
        cluster.signal,
      );
      return items.find((each) => stringAt(each, "reason") === reason);
    };

    test("acceptance 11: a label of a source is preserved and creates no revision", async () => {
      const revision = await rollout.latest();
      const metadata = { labels: { team: "platform" } };
      await cluster.api.mergePatch(resources.configMaps, inTarget("config"), { metadata }, cluster.signal);
      await operator.quiet(300);
      assert.equal(await rollout.latest(), revision);
      const live = await cluster.api.get(resources.configMaps, inTarget("config"), cluster.signal);
      assert.equal(live.metadata.labels?.team, "platform");
    });

    test("acceptance 17: a deleted client certificate is restored and signed by its CA, without a revision", async () => {
      const revision = await rollout.latest();
      const before = await cluster.api.get(resources.secrets, inTarget("aggregator-client"), cluster.signal);
      await cluster.api.delete(resources.secrets, inTarget("aggregator-client"), cluster.signal);
      const after = await cluster.eventually(() =>
        cluster.api.get(resources.secrets, inTarget("aggregator-client"), cluster.signal),
      );
      assert.notEqual(stringAt(after, "data", "tls.crt"), stringAt(before, "data", "tls.crt"));
      const issuer = "auth.openshift.io/certificate-issuer";
      assert.equal(after.metadata.annotations?.[issuer], before.metadata.annotations?.[issuer]);
      await operator.quiet(300);
      assert.equal(await rollout.latest(), revision);
    });

    test("a changed log level applies to the running operator", async () => {
      await patchOperator({ operatorLogLevel: "Trace" });
      await cluster.eventually(async () => assert.deepEqual(levels, ["Trace"]));
      await cluster.eventually(async () =>
        assert.equal(
          stringAt(await eventOf("OperatorLogLevelChange"), "message"),
          'Operator log level changed from "Normal" to "Trace"',
        ),
      );
      await patchOperator({ operatorLogLevel: "" });
      await cluster.eventually(async () => assert.deepEqual(levels, ["Trace", "Normal"]));
    });

    test("a latency profile is complete once all masters run with it", async () => {
      const profile = (workerLatencyProfile: string | null) =>
        cluster.api.mergePatch(
          resources.configNodes,
          operatorKey,
          { spec: { workerLatencyProfile } },
          cluster.signal,
        );
      const state = async () => {
        const live = await rollout.configuration();
        return ["Progressing", "Complete"].map((type) => {
          const { status, reason } = conditionIn(live, `WorkerLatencyProfile${type}`);
          return `${status} ${reason}`;
        });
      };
      const before = await rollout.latest();
      await profile("MediumUpdateAverageReaction");
      await cluster.eventually(async () =>
        assert.deepEqual(await state(), ["True ProfileUpdateTriggered", "False ProfileUpdateTriggered"]),
      );
      await rollout.finished(async () => assert.equal(await rollout.latest(), before + 1));
      await cluster.eventually(async () =>
        assert.deepEqual(await state(), ["False ProfileUpdated", "True ProfileUpdated"]),
      );
      for (const argument of ["not-ready", "unreachable"])
        assert.deepEqual(
          valueAt(
            await rollout.configOf(before + 1),
            "apiServerArguments",
            `default-${argument}-toleration-seconds`,
          ),
          ["60"],
        );
      await profile(null);
      await rollout.finished(async () => assert.equal(await rollout.latest(), before + 2));
      await cluster.eventually(async () =>
        assert.deepEqual(await state(), ["False ProfileEmpty", "True ProfileEmpty"]),
      );
    });

    test("a static pod that does not show up after its installer is missing", async () => {
      const revision = await rollout.latest();
      const missing: Pick<KubeObject, "metadata"> = {
        metadata: { ...inTarget(`installer-${revision + 1}-master-1`), labels: { app: "installer" } },
      };
      const manifest = {
        metadata: inTarget(`kube-apiserver-pod-${revision + 1}`),
        data: { "pod.yaml": "{}" },
      };
      await cluster.put(resources.configMaps, manifest);
      const image = "operator:1";
      const terminated = { exitCode: 0, finishedAt: "2026-01-01T00:00:00Z" };
      await cluster.put(resources.pods, {
        ...missing,
        spec: {
          nodeName: "master-1",
          serviceAccountName: "installer-sa",
          containers: [{ name: "installer", image }],
        },
        status: {
          phase: "Succeeded",
          containerStatuses: [
            { name: "installer", image, imageID: "", ready: false, restartCount: 0, state: { terminated } },
          ],
        },
      } as never);
      const expected = `static pod lifecycle failure - static pod: "kube-apiserver" in namespace: "openshift-kube-apiserver" for revision: ${revision + 1} on node: "master-1" didn't show up, waited: 3m0s`;
      await cluster.eventually(async () => {
        const { status, reason, message } = conditionIn(
          await rollout.configuration(),
          "MissingStaticPodControllerDegraded",
        );
        assert.deepEqual([status, reason, message], ["True", "SyncError", expected]);
        assert.equal(stringAt(await eventOf("MissingStaticPod"), "message"), expected);
      });
      await cluster.api.delete(resources.pods, missing.metadata, cluster.signal, { gracePeriodSeconds: 0 });
      await cluster.api.delete(resources.configMaps, manifest.metadata, cluster.signal);
      await cluster.eventually(async () =>
        assert.equal(
          conditionIn(await rollout.configuration(), "MissingStaticPodControllerDegraded").status,
          "False",
        ),
      );
    });

    test("acceptance 13: an interrupted revision is completed under its number with the current inputs", async () => {
      const next = (await rollout.latest()) + 1;
      await operator[Symbol.asyncDispose]();
      await cluster.put(resources.configMaps, {
        metadata: {
          ...inTarget(`revision-status-${next}`),
          annotations: { "operator.openshift.io/revision-ready": "false" },
        },
        data: { revision: `${next}`, reason: "of the process that ended" },
      } as never);
      await cluster.put(resources.configMaps, {
        metadata: inTarget(`kube-apiserver-pod-${next}`),
        data: { "pod.yaml": "half" },
      } as never);
      await patchOperator({ forceRedeploymentReason: "after a crash" });
      operator = await startTestOperator(cluster, new Metrics(), log);
      await rollout.finished(async () => assert.ok((await rollout.latest()) >= next));
      await operator.quiet(300);
      assert.equal(await rollout.latest(), next);
      const status = await cluster.api.get(
        resources.configMaps,
        inTarget(`revision-status-${next}`),
        cluster.signal,
      );
      assert.equal(status.metadata.annotations?.["operator.openshift.io/revision-ready"], "true");
      assert.equal(await rollout.reasonOf(next), "of the process that ended");
      const data = async (key: string) =>
        valueAt(await cluster.api.get(resources.configMaps, inTarget(key), cluster.signal), "data");
      assert.deepEqual(await data(`kube-apiserver-pod-${next}`), await data("kube-apiserver-pod"));
    });

    test("acceptance 24: revisions beyond the limits are removed from the API and from disks", async () => {
      await patchOperator({
        succeededRevisionLimit: 1,
        failedRevisionLimit: 1,
        forceRedeploymentReason: "x",
      });
      const latest = (await rollout.latest()) + 1;
      await rollout.finished(async () => assert.ok((await rollout.latest()) >= latest));
      const pruners = await cluster.eventually(async () => {
        const selection = { namespace: namespaces.target };
        const { items } = await cluster.api.list(resources.configMaps, selection, cluster.signal);
        const left = items
          .map(({ metadata }) => metadata.name)
          .filter((each) => each.startsWith("revision-status-"));
        assert.deepEqual(left, [`revision-status-${latest}`]);
        const pods = await cluster.api.list(
          resources.pods,
          { ...selection, labelSelector: "app=pruner" },
          cluster.signal,
        );
        return pods.items.filter(({ metadata }) =>
          metadata.name.startsWith(`revision-pruner-${latest}-master-`),
        );
      });
      assert.equal(pruners.length, 3);
      for (const each of pruners)
        assert.deepEqual(listAt(listAt(each, "spec", "containers")[0], "args"), [
          "-v=4",
          `--max-eligible-revision=${latest}`,
          `--protected-revisions=${latest}`,
          "--resource-dir=/etc/kubernetes/static-pod-resources",
          "--static-pod-name=kube-apiserver-pod",
        ]);
    });

    test("acceptance 10: two masters were never in transition at the same time", () => {
      assert.deepEqual([...inTransition].toSorted(), [0, 1]);
    });
  });
