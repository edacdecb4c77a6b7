/** The operator on a cluster that the service has installed: it reports, repairs, and lives and dies with its pod. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { connectKube, type KubeClient, listAt, resources, textAt } from "@keelson/kube";
import { eventually } from "./support/eventually.ts";
import { Program, StateDirectory } from "./support/program.ts";

const namespace = "openshift-azure-operator";
const checks = [
  "InternetReachableFromMaster",
  "InternetReachableFromWorker",
  "MachineValid",
  "ServicePrincipalValid",
];

describe("the operators of up", { timeout: 240_000 }, () => {
  const state = new StateDirectory();
  const signal = AbortSignal.timeout(230_000);
  let program: Program;
  let kube: KubeClient;
  before(async () => {
    program = Program.start("up", "--state", state.path, "--ports", "auto", "--operators", "shared");
    await program.says(/endpoints/);
    const kubeconfig = readFileSync(state.file("demo.kubeconfig"), "utf8");
    kube = connectKube({ kubeconfig, userAgent: "e2e", fieldManager: "e2e" });
  });
  after(async () => {
    await kube[Symbol.asyncDispose]();
    await program[Symbol.asyncDispose]();
    state[Symbol.dispose]();
  });

  const cluster = () => kube.get(resources.aroClusters, { name: "cluster" }, signal);
  const masters = async () => {
    const selection = { namespace, labelSelector: "app=aro-operator-master" };
    return (await kube.list(resources.pods, selection, signal)).items;
  };

  test("acceptance 1: all checks are True, and the status names the operator's build", async () => {
    const { stdout } = await Program.run("version", "-o", "json");
    await eventually(async () => {
      const { status } = await cluster();
      const conditions = listAt({ status }, "status", "conditions");
      const statusOf = (type: string) =>
        textAt(
          conditions.find((each) => textAt(each, "type") === type),
          "status",
        );
      assert.deepEqual(
        checks.map((type) => [type, statusOf(type)]),
        checks.map((type) => [type, "True"]),
      );
      assert.ok(stdout.includes(textAt({ status }, "status", "operatorVersion") ?? "?"), stdout);
    });
  });

  test("what it keeps comes back when it is deleted", async () => {
    const key = { name: "system:aro-sre" };
    const before = await eventually(() => kube.get(resources.clusterRoles, key, signal));
    await kube.delete(resources.clusterRoles, key, signal);
    await eventually(async () => {
      const { metadata } = await kube.get(resources.clusterRoles, key, signal);
      assert.notEqual(metadata.uid, before.metadata.uid);
    });
  });

  test("a pod that is deleted takes its operator with it, and the next one leads", async () => {
    const lease = { namespace, name: "aro-operator-master" };
    const holder = async () =>
      textAt(await kube.get(resources.leases, lease, signal), "spec", "holderIdentity") ?? "";
    const [pod] = await masters();
    assert.ok(pod);
    await eventually(async () => assert.ok((await holder()).startsWith(pod.metadata.name)));
    await kube.delete(resources.pods, { namespace, name: pod.metadata.name }, signal);
    await eventually(async () => {
      const [next] = await masters();
      assert.ok(next && next.metadata.uid !== pod.metadata.uid);
      assert.ok((await holder()).startsWith(next.metadata.name), await holder());
    });
  });

  test("the samples operator of the release keeps samples, and the cluster version operator what it runs as", async () => {
    const configs = {
      group: "samples.operator.openshift.io",
      version: "v1",
      plural: "configs",
      kind: "Config",
      namespaced: false,
    } as const;
    await eventually(() =>
      kube.mergePatch(configs, { name: "cluster" }, { spec: { managementState: "Managed" } }, signal),
    );
    await eventually(async () => {
      const operator = await kube.get(resources.clusterOperators, { name: "openshift-samples" }, signal);
      const available = listAt(operator, "status", "conditions").find(
        (each) => textAt(each, "type") === "Available",
      );
      assert.match(textAt(available, "message") ?? "", /^Samples installation successful at /);
    });
    const role = { namespace: "openshift", name: "cluster-samples-operator" };
    const before = await kube.get(resources.roles, role, signal);
    await kube.delete(resources.roles, role, signal);
    await eventually(async () => {
      const { metadata } = await kube.get(resources.roles, role, signal);
      assert.notEqual(metadata.uid, before.metadata.uid);
    });
  });
});
