import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type KubeResource, resources } from "@keelson/kube";
import { condition, type TestCluster, type TestOperator, testServers } from "../../testing/index.ts";
import { workloadChecker } from "./controller.ts";

const { daemonSets, deployments, pods } = resources;
const labels = { app: "test" };
const container = { name: "main", image: "example.com/image" };
const template = { metadata: { labels }, spec: { containers: [container] } };
const of = (replicas: number) => ({ replicas, selector: { matchLabels: labels }, template });
const longAgo = "2026-01-01T00:00:00Z";
const state = (type: string, status: string) => ({ type, status, lastTransitionTime: longAgo });

for (const { name, start } of testServers) {
  describe(`the platform's workloads on ${name}`, () => {
    let cluster: TestCluster;
    let operator: TestOperator;
    const ready = () => condition(cluster, "PlatformWorkloadsReady");
    const becomes = (status: string, message: string) =>
      cluster.eventually(async () => {
        const { reason, ...rest } = await ready();
        assert.deepEqual(rest, { status, message });
        assert.equal(reason, status === "True" ? "CheckDone" : "CheckFailed");
      });
    const set = (resource: KubeResource, namespace: string, name: string, status: object) =>
      cluster.api.mergePatch(resource, { namespace, name }, { status }, cluster.signal, "status");
    const gauge = (suffix: string, namespace: string, kind: string) =>
      operator.metric(`aro_operator_platform_workloads${suffix}`, { namespace, kind });
    const fine = "All platform workloads are ready";
    before(async () => {
      cluster = await start({ kinds: [] });
      for (const namespace of ["openshift-dns", "kube-system", "customer"]) {
        await cluster.put(resources.namespaces, { metadata: { name: namespace } });
        await cluster.put(resources.serviceAccounts, { metadata: { namespace, name: "default" } });
        await cluster.put(deployments, {
          metadata: { namespace, name: "web" },
          spec: of(2),
          status: {
            observedGeneration: 1,
            replicas: 2,
            readyReplicas: 2,
            availableReplicas: 2,
            conditions: [state("Available", "True")],
          },
        });
      }
      const { replicas: _, ...spec } = of(0);
      await cluster.put(daemonSets, {
        metadata: { namespace: "openshift-dns", name: "node" },
        spec,
        status: {
          currentNumberScheduled: 3,
          desiredNumberScheduled: 3,
          numberMisscheduled: 0,
          numberReady: 3,
          numberAvailable: 3,
        },
      });
      await cluster.put(pods, {
        metadata: { namespace: "kube-system", name: "pod" },
        spec: { containers: [container] },
        status: { phase: "Running", conditions: [state("Ready", "True")] },
      });
      operator = await cluster.start({ controllers: [workloadChecker] });
    });
    after(() => cluster[Symbol.asyncDispose]());

    test("are all ready", async () => {
      await becomes("True", fine);
      assert.equal(await gauge("", "openshift-dns", "Deployment"), 1);
      assert.equal(await gauge("", "openshift-dns", "DaemonSet"), 1);
      assert.equal(await gauge("", "kube-system", "Pod"), 1);
      assert.equal(await gauge("", "customer", "Deployment"), 0, "what customers run does not count");
      assert.equal(await operator.metric("aro_operator_platform_workloads_not_ready"), 0);
    });

    test("one that has not been available for long is named, and forgotten when it is", async () => {
      await set(deployments, "openshift-dns", "web", {
        availableReplicas: 1,
        conditions: [state("Available", "False")],
      });
      await becomes("False", "Deployment openshift-dns/web: 1 of 2 pods available");
      assert.equal(await gauge("_not_ready", "openshift-dns", "Deployment"), 1);
      await set(deployments, "openshift-dns", "web", {
        availableReplicas: 2,
        conditions: [state("Available", "True")],
      });
      await becomes("True", fine);
      await cluster.api.delete(deployments, { namespace: "kube-system", name: "web" }, cluster.signal);
      await cluster.eventually(async () => assert.equal(await gauge("", "kube-system", "Deployment"), 0));
    });

    test("a fault that is new shows in the figures only", async () => {
      await set(daemonSets, "openshift-dns", "node", { numberReady: 0, numberAvailable: 0 });
      await cluster.eventually(async () =>
        assert.equal(await gauge("_not_ready", "openshift-dns", "DaemonSet"), 1),
      );
      await operator.quiet();
      assert.equal((await ready()).status, "True");
      await set(daemonSets, "openshift-dns", "node", { numberReady: 3, numberAvailable: 3 });
    });

    test("changes of customers' workloads and other fields cause no write", async () => {
      await operator.quiet();
      const before = await operator.writes();
      await set(deployments, "customer", "web", {
        availableReplicas: 0,
        conditions: [state("Available", "False")],
      });
      await set(pods, "kube-system", "pod", { hostIP: "10.0.0.1", podIP: "10.0.0.2" });
      await operator.quiet();
      assert.equal(await operator.writes(), before);
    });

    test("acceptance 3: switched off it is Unknown, without a reason", async () => {
      await cluster.configure({ operatorflags: { "aro.checker.enabled": "false" } });
      await cluster.eventually(async () =>
        assert.deepEqual(await ready(), { status: "Unknown", reason: "", message: "" }),
      );
      assert.equal(await operator.metric("aro_operator_platform_workloads"), 0);
      await cluster.configure({ operatorflags: { "aro.checker.enabled": "true" } });
      await becomes("True", fine);
    });
  });
}
