import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { listAt, Metrics, numberAt, stringAt, valueAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import { connectivityChecks, operatorKey, reportNodeRevision } from "@keelson/operator-kit";
import { type KitCluster, type KitOperator, kitServers } from "@keelson/operator-kit/testing";
import { namespaces } from "./config/namespaces.ts";
import { assertHealthy } from "./testing/cluster-operator-health.ts";
import { Rollout } from "./testing/rollout.ts";
import { addMasters, masterNames, TestKubelets } from "./testing/test-kubelets.ts";
import {
  conditionIn,
  fillRecoveryToken,
  inTarget,
  operatorKinds,
  seedCluster,
  startTestOperator,
} from "./testing/test-operator.ts";

for (const { name, start } of kitServers)
  describe(`a rollout on ${name}`, () => {
    let cluster: KitCluster;
    let operator: KitOperator;
    let kubelets: TestKubelets;
    let rollout: Rollout;
    const metrics = new Metrics();

    before(async () => {
      cluster = await start({ kinds: [...operatorKinds, connectivityChecks] });
      await seedCluster(cluster);
      await addMasters(cluster);
      kubelets = new TestKubelets(cluster);
      rollout = new Rollout(cluster, kubelets);
      operator = await startTestOperator(cluster, metrics);
      await fillRecoveryToken(cluster);
    });
    after(async () => {
      await operator?.[Symbol.asyncDispose]();
      await cluster?.[Symbol.asyncDispose]();
    });

    const patchOperator = (spec: object) =>
      cluster.api.mergePatch(resources.kubeApiServers, operatorKey, { spec }, cluster.signal);

    test("a cluster without revisions gets them, and its operator is available with its versions", async () => {
      await rollout.finished(async () => assert.ok((await rollout.latest()) > 0));
      await cluster.eventually(async () => {
        const status = await cluster.api.get(
          resources.clusterOperators,
          { name: "kube-apiserver" },
          cluster.signal,
        );
        assertHealthy(status);
        assert.deepEqual(
          listAt(status, "status", "versions")
            .map((each) => [stringAt(each, "name"), stringAt(each, "version")])
            .toSorted(),
          [
            ["kube-apiserver", "1.32.9"],
            ["operator", "4.19.24"],
            ["raw-internal", "4.19.24"],
          ],
        );
      });
    });

    test("the time line of a rollout is a condition of the operator's configuration", async () => {
      await rollout.finished();
      await cluster.eventually(async () => {
        const { status, reason, message } = conditionIn(await rollout.configuration(), "RolloutComplete");
        assert.deepEqual([status, reason], ["True", "AllNodesAtRevision"]);
        assert.match(message, new RegExp(`^revision ${await rollout.latest()}, complete after `));
        for (const name of masterNames)
          assert.match(message, new RegExp(`Z ${name}: static pod of revision`));
      });
    });

    test("a changed observation creates a revision, which is rolled out one master at a time with two running", async () => {
      const before = await rollout.latest();
      kubelets.history.length = 0;
      await cluster.put(resources.configImages, {
        metadata: operatorKey,
        status: { internalRegistryHostname: "changed.svc:5000" },
      });
      await rollout.finished(async () => assert.ok((await rollout.latest()) > before));
      const revision = await rollout.latest();
      assert.equal(revision, before + 1);
      assert.equal(
        stringAt(await rollout.configOf(revision), "imagePolicyConfig", "internalRegistryHostname"),
        "changed.svc:5000",
      );
      assert.equal(await rollout.reasonOf(revision), "required configmap/config has changed");
      for (const running of kubelets.history) {
        assert.ok(running.filter((each) => each !== undefined).length >= 2, JSON.stringify(kubelets.history));
      }
    });

    test("terminations of API servers are measured: replaced pods, steps and late connections", async () => {
      const event = (name: string, reason: string, count: number) =>
        cluster.put(resources.events, {
          metadata: inTarget(name),
          reason,
          involvedObject: { kind: "Pod", ...inTarget("kube-apiserver-master-0") },
          firstTimestamp: "2026-01-01T00:00:00Z",
          lastTimestamp: "2026-01-01T00:01:40Z",
          count,
        } as never);
      await event("e.1", "TerminationStart", 1);
      await event("e.2", "LateConnections", 3);
      const exposed = async (line: RegExp) => assert.match((await metrics.expose()).body, line);
      await cluster.eventually(async () => {
        for (const node of masterNames)
          await exposed(
            new RegExp(`openshift_kube_apiserver_termination_count\\{name="kube-apiserver-${node}"\\} [1-9]`),
          );
        await exposed(
          /termination_event_time\{name="kube-apiserver-master-0",eventName="TerminationStart"\} 1767225700/,
        );
        await exposed(
          /termination_event_time\{name="kube-apiserver-master-0",eventName="StaticPodRecreated"\} \d/,
        );
        await exposed(/lateconnections_count\{name="kube-apiserver-master-0"\} 3/);
      });
      await event("e.2", "LateConnections", 5);
      await cluster.eventually(async () => {
        await exposed(/lateconnections_count\{name="kube-apiserver-master-0"\} 5/);
        const { metadata } = await cluster.api.get(resources.events, inTarget("e.2"), cluster.signal);
        assert.equal(metadata.annotations?.["eventwatch.openshift.io/last-seen-count"], "5");
      });
    });

    test("each API server checks its dependencies only while overrides enable it", async () => {
      const names = async () =>
        (
          await cluster.api.list(connectivityChecks, { namespace: namespaces.target }, cluster.signal)
        ).items.map(({ metadata }) => metadata.name);
      const enable = (enableConnectivityCheckController: string | null) =>
        patchOperator({ unsupportedConfigOverrides: { operator: { enableConnectivityCheckController } } });
      await enable("True");
      await cluster.eventually(async () => {
        const found = await names();
        for (const node of masterNames)
          assert.ok(found.includes(`kube-apiserver-${node}-to-load-balancer-api-internal`), found.join());
      });
      await enable(null);
      await cluster.eventually(async () => assert.deepEqual(await names(), []));
    });

    test("acceptance 9: a forced redeployment is exactly one revision of the same configuration", async () => {
      const before = await rollout.latest();
      await patchOperator({ forceRedeploymentReason: "Credential rotation" });
      await rollout.finished(async () => assert.ok((await rollout.latest()) > before));
      const revision = await rollout.latest();
      assert.equal(revision, before + 1);
      assert.equal(await rollout.reasonOf(revision), "required configmap/kube-apiserver-pod has changed");
      assert.deepEqual(await rollout.configOf(revision), await rollout.configOf(before));
    });

    test("acceptance 14: an installer that fails stops the rollout at its node, with its words", async () => {
      const before = await rollout.latest();
      kubelets.installerFailure = "the disk is full";
      await patchOperator({ forceRedeploymentReason: "fails" });
      await cluster.eventually(async () => {
        await kubelets.run();
        const live = await rollout.configuration();
        const failing = listAt(live, "status", "nodeStatuses").filter((each) =>
          valueAt(each, "lastFailedRevision"),
        );
        assert.equal(failing.length, 1);
        assert.equal(stringAt(failing[0], "lastFailedReason"), "InstallerFailed");
        assert.match(conditionIn(live, "NodeInstallerDegraded").message, /the disk is full/);
        const others = listAt(live, "status", "nodeStatuses").filter((each) => each !== failing[0]);
        assert.deepEqual(
          others.map((each) => numberAt(each, "currentRevision")),
          [before, before],
        );
      });
      // The rollout of a newer revision must not wait for the failed revision.
      kubelets.installerFailure = undefined;
      await patchOperator({ forceRedeploymentReason: "mended" });
      await rollout.finished(async () => assert.ok((await rollout.latest()) >= before + 2));
    });

    test("a revision with a startup monitor is complete when the monitor confirms it, node by node", async () => {
      const before = await rollout.latest();
      await patchOperator({ unsupportedConfigOverrides: { startupMonitor: true } });
      const reported: string[] = [];
      await rollout.finished(async () => {
        const revision = await rollout.latest();
        assert.ok(revision > before);
        const nodes = listAt(await rollout.configuration(), "status", "nodeStatuses");
        const changing = nodes.find((each) => numberAt(each, "targetRevision") === revision);
        const node = stringAt(changing, "nodeName");
        if (node === undefined) return;
        const key = inTarget(`kube-apiserver-${node}`);
        const running = await cluster.api.find(resources.pods, key, cluster.signal);
        if (running?.metadata.labels?.revision !== `${revision}`) return;
        const installer = inTarget(`installer-${revision}-${node}`);
        const { spec } = await cluster.api.get(resources.pods, installer, cluster.signal);
        const args = listAt(listAt(spec, "containers")[0], "args");
        assert.ok(
          args.includes("--pod-manifests-lock-file=/var/lock/kube-apiserver-installer.lock"),
          args.join(),
        );
        reported.push(node);
        await reportNodeRevision(cluster.api, resources.kubeApiServers, { node, revision }, cluster.signal);
      });
      assert.deepEqual(reported.toSorted(), masterNames);
      await patchOperator({ unsupportedConfigOverrides: null });
      await rollout.finished(async () => assert.ok((await rollout.latest()) > before + 1));
    });

    test("acceptance 12: without a required source there is no new revision, and the running one is kept", async () => {
      const before = await rollout.latest();
      const source = { namespace: namespaces.config, name: "etcd-client" };
      const secret = await cluster.api.get(resources.secrets, source, cluster.signal);
      await cluster.api.delete(resources.secrets, source, cluster.signal);
      await cluster.eventually(async () => {
        assert.equal(
          await cluster.api.find(resources.secrets, inTarget("etcd-client"), cluster.signal),
          undefined,
        );
        const { status, message } = conditionIn(await rollout.configuration(), "RevisionControllerDegraded");
        assert.equal(status, "True");
        assert.match(message, /secrets? "etcd-client" not found/);
      });
      assert.equal(await rollout.latest(), before);
      await cluster.put(resources.secrets, {
        metadata: source,
        type: "kubernetes.io/tls",
        data: secret.data,
      } as never);
      await cluster.eventually(async () =>
        assert.equal(
          conditionIn(await rollout.configuration(), "RevisionControllerDegraded").status,
          "False",
        ),
      );
      assert.equal(await rollout.latest(), before);
    });
  });
