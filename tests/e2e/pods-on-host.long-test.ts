/**
 * Tests the isolation between pods of a simulated cluster and the host. A pod must not run arbitrary code or write arbitrary
 * files on the host.
 */

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import type { JsonValue } from "@keelson/base";
import { listAt, stringAt } from "@keelson/base";
import { connectKube, type KubeClient, type KubeObject, resources } from "@keelson/kube";
import { eventually } from "./support/eventually.ts";
import { Program, StateDirectory } from "./support/program.ts";

const tenant = "tenant";
const operand = "openshift-kube-apiserver";
const installer = "installer-1-hostile";

describe("pods of a simulated cluster", { timeout: 900_000 }, () => {
  const state = new StateDirectory();
  const outside = new StateDirectory();
  const signal = AbortSignal.timeout(900_000);
  /** Marker file on the host. It exists if a pod has run code in a host process. */
  const marker = outside.file("marker");
  const code = `import(%22node:fs%22).then(f=>f.writeFileSync(%22${marker}%22,%22x%22))`;
  const hostile = { name: "NODE_OPTIONS", value: `--import=data:text/javascript,${code}` };
  const up = "/..".repeat(40);
  let program: Program;
  let kube: KubeClient;

  before(async () => {
    program = Program.start(
      ...["up", "--state", state.path, "--ports", "auto", "--operators", "process"],
      ...["--without", "portal", "monitor", "console"],
    );
    await program.says(/endpoints/);
    const kubeconfig = readFileSync(state.file("demo.kubeconfig"), "utf8");
    kube = connectKube({ kubeconfig, userAgent: "e2e", fieldManager: "e2e" });
    const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: tenant } };
    await kube.create(resources.namespaces, namespace, signal);
  });
  after(async () => {
    await kube[Symbol.asyncDispose]();
    await program[Symbol.asyncDispose]();
    state[Symbol.dispose]();
    outside[Symbol.dispose]();
  });

  /** Creates the objects of an installer pod. The flags of the pod's program refer to directories outside of the container. */
  async function createInstaller(
    namespace: string,
    about: object,
    serviceAccountName: string,
  ): Promise<void> {
    const manifest = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "x", namespace },
      spec: { containers: [{ name: "a", image: "b" }] },
    };
    const contents = {
      "hostile-pod-1": { "pod.yaml": JSON.stringify(manifest) },
      "payload-1": { authorized_keys: "ssh-ed25519 AAAA attacker" },
    };
    for (const [name, data] of Object.entries(contents)) {
      const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name }, data };
      await kube.create(resources.configMaps, configMap as KubeObject, signal);
    }
    const flags = {
      ...{ revision: "1", namespace, pod: "hostile-pod", configmaps: "payload" },
      "resource-dir": `${up}${outside.path}`,
      "pod-manifest-dir": `${up}${outside.path}/manifests`,
      "cert-dir": `${up}${outside.path}/certs`,
    };
    const container = {
      name: "installer",
      image: "keelson",
      terminationMessagePolicy: "FallbackToLogsOnError",
      command: ["keelson", "kube-apiserver-operator", "installer"],
      args: Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`),
      env: [hostile, { name: "NODE_NAME", valueFrom: { fieldRef: { fieldPath: "spec.nodeName" } } }],
    };
    // Real installers run on masters, so this pod runs on a worker.
    const nodeSelector = { "node-role.kubernetes.io/worker": "" };
    const spec = { restartPolicy: "Never", serviceAccountName, nodeSelector, containers: [container] };
    const metadata = { namespace, name: installer, labels: { app: "installer" }, ...about };
    await kube.create(
      resources.pods,
      { apiVersion: "v1", kind: "Pod", metadata, spec } as KubeObject,
      signal,
    );
  }

  async function untilPhase(namespace: string, name: string, phase: string): Promise<void> {
    await eventually(async () => {
      const pod = await kube.get(resources.pods, { namespace, name }, signal);
      const reported = JSON.stringify(pod.status);
      assert.equal(stringAt(pod, "status", "phase"), phase, reported);
    });
  }

  test("a pod of a tenant that names the operators' image is simulated, and an Event reports it", async () => {
    const container = { name: "c", image: "keelson", command: ["keelson"], args: ["operator", "worker"] };
    const spec = { restartPolicy: "Never", containers: [{ ...container, env: [hostile] }] };
    const metadata = { namespace: tenant, name: "hostile" };
    await kube.create(
      resources.pods,
      { apiVersion: "v1", kind: "Pod", metadata, spec } as KubeObject,
      signal,
    );
    await createInstaller(tenant, {}, "default");
    for (const name of ["hostile", installer]) {
      await untilPhase(tenant, name, "Running");
      await eventually(async () => {
        const { items } = await kube.list(resources.events, { namespace: tenant }, signal);
        const messages = items
          .filter((event) => stringAt(event, "involvedObject", "name") === name)
          .map((event) => `${stringAt(event, "reason")}: ${stringAt(event, "message")}`);
        const refusal =
          /^ProcessNotAllowed: .* is simulated .*: Pod tenant\/.*hostile is not on the allow list/;
        assert.ok(
          messages.some((message) => refusal.test(message)),
          messages.join("\n"),
        );
      });
    }
    assert.deepEqual(readdirSync(outside.path), []);
  });

  test("an installer that the allow list admits writes only below its container's root", async () => {
    const status = await eventually(() =>
      kube.get(resources.configMaps, { namespace: operand, name: "revision-status-1" }, signal),
    );
    await eventually(() =>
      kube.get(resources.serviceAccounts, { namespace: operand, name: "installer-sa" }, signal),
    );
    const { apiVersion, kind } = { apiVersion: "v1", kind: "ConfigMap" };
    const { name, uid } = status.metadata;
    const owner = { ownerReferences: [{ apiVersion, kind, name, uid }] };
    await createInstaller(operand, owner, "installer-sa");
    await untilPhase(operand, installer, "Succeeded");
    assert.deepEqual(readdirSync(outside.path), []);
    const written = readdirSync(state.file("nodes"), { recursive: true }).map(String);
    const root = `containers/installer${outside.path}/hostile-pod-1/configmaps/`;
    const payload = written.filter((path) => path.endsWith("/authorized_keys"));
    assert.ok(payload.length > 0, "the installer wrote nothing below its root");
    for (const path of payload) assert.ok(path.includes(root), path);
  });

  test("variables of an operator's Deployment reach the operator and never Node.js", async () => {
    const key = { namespace: "openshift-azure-operator", name: "aro-operator-master" };
    const variables = [
      hostile,
      { name: "POD_NAME", value: "renamed" },
      { name: "LD_PRELOAD", value: "/x.so" },
    ];
    const deployment = await kube.get(resources.deployments, key, signal);
    const [container] = listAt(deployment, "spec", "template", "spec", "containers");
    const replaced = variables.map(({ name }) => name);
    const others = listAt(container, "env").filter(
      (each) => !replaced.includes(stringAt(each, "name") ?? ""),
    );
    const path = "/spec/template/spec/containers/0/env";
    const value = [...others, ...variables] as JsonValue;
    await kube.jsonPatch(resources.deployments, key, [{ op: "replace", path, value }], signal);
    await eventually(async () => {
      const lease = await kube.get(resources.leases, key, signal);
      assert.match(stringAt(lease, "spec", "holderIdentity") ?? "", /^renamed_/);
    });
    assert.equal(existsSync(marker), false);
  });
});
