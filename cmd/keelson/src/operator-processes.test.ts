import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { clusters, defaultOperatorFlags, singleton } from "@keelson/aro-api";
import { aroDefinitions } from "@keelson/aro-api/manifests";
import { stringAt } from "@keelson/base";
import { apiServers } from "@keelson/controller/testing";
import { type KubeClient, type KubeObject, resources } from "@keelson/kube";
import { startUnwellFront } from "@keelson/operator-kit/testing";

const main = new URL("main.ts", import.meta.url).pathname;
const signal = AbortSignal.timeout(900_000);
const lease = { namespace: "openshift-azure-operator", name: "aro-operator-master" };
const role = { name: "system:aro-sre" };

/** Starts the ARO operator's master role as a process outside of the cluster, with short leader election durations. */
function startMaster(kubeconfig: string): { readonly child: ChildProcess; readonly output: () => string } {
  const election = ["lease-duration", "6", "renew-deadline", "5", "retry-period", "1"];
  const flags = [
    ...["--kubeconfig", kubeconfig, "--host", "127.0.0.1", "--health-port", "0", "--metrics-port", "0"],
    ...election.map((each, index) => (index % 2 === 0 ? `--leader-elect-${each}` : each)),
  ];
  const args = ["--disable-warning=ExperimentalWarning", main, "operator", "master", ...flags];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  return { child, output: () => output };
}

async function eventually<T>(what: string, check: () => Promise<T | undefined | false>): Promise<T> {
  for (;;) {
    const found = await check().catch(() => undefined);
    if (found) return found;
    signal.throwIfAborted();
    await new Promise((next) => setTimeout(next, 50, what));
  }
}

/**
 * Returns the resource versions of the objects that the operator's master role writes. Excludes Leases and Events, because
 * renewals and repetitions change them.
 */
async function revisions(api: KubeClient): Promise<ReadonlyMap<string, string>> {
  const kinds = [
    ...[resources.clusterRoles, resources.clusterRoleBindings, resources.namespaces],
    ...[resources.secrets, resources.configMaps, clusters],
  ];
  const lists = await Promise.all(kinds.map((kind) => api.list<KubeObject>(kind, {}, signal)));
  return new Map(
    lists.flatMap(({ items }) =>
      items.map(({ metadata }) => [metadata.uid ?? "", metadata.resourceVersion ?? ""]),
    ),
  );
}

/**
 * Waits until no object has changed for a second, so that the new leader has reconciled everything. Returns the resource
 * versions.
 */
async function quiet(api: KubeClient): Promise<ReadonlyMap<string, string>> {
  for (let before = await revisions(api); ; ) {
    await new Promise((passed) => setTimeout(passed, 1_000));
    const now = await revisions(api);
    if (isDeepStrictEqual(now, before)) return now;
    before = now;
  }
}

/** Creates the objects that the operator's master role needs. The Cluster object enables only one controller. */
async function deploy(api: KubeClient): Promise<void> {
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: lease.namespace } };
  await api.create(resources.namespaces, namespace, signal);
  for (const each of aroDefinitions) await api.create(resources.customResourceDefinitions, each, signal);
  const off = Object.fromEntries(Object.keys(defaultOperatorFlags).map((flag) => [flag, "false"]));
  const operatorflags = { ...off, "aro.rbac.enabled": "true" };
  const cluster = { apiVersion: "aro.openshift.io/v1alpha1", kind: "Cluster", metadata: singleton };
  await eventually("the Cluster", () =>
    api.create(clusters, { ...cluster, spec: { operatorflags } }, signal),
  );
}

for (const { name, start } of apiServers) {
  test(`a master whose API server is gone for longer than its lease ends once; the next waits for it, on ${name}`, async () => {
    await using server = await start();
    await using api = server.connect();
    await using front = await startUnwellFront(server.kubeconfig);
    await using directory = await mkdtempDisposable(join(tmpdir(), "operator-"));
    const kubeconfig = join(directory.path, "kubeconfig");
    await writeFile(kubeconfig, front.kubeconfig);
    await deploy(api);
    const first = startMaster(kubeconfig);
    const masters = [first];
    try {
      await eventually("the role", () => api.find(resources.clusterRoles, role, signal));
      front.become({ kind: "gone" });
      const [code] = await once(first.child, "exit", { signal });
      assert.equal(code, 1);
      assert.match(first.output(), /could not renew its lease in time/);
      await api.delete(resources.clusterRoles, role, signal);

      // Restarts the container as the kubelet does. The API server is still unavailable when the new process starts.
      const next = startMaster(kubeconfig);
      masters.push(next);
      const asked = front.asked;
      await eventually("the next master asks", async () => front.asked > asked + 10);
      front.become({ kind: "code", code: 500 });
      await eventually("it meets the other fault, too", async () => front.asked > asked + 30);
      assert.equal(next.child.exitCode, null);
      front.become(undefined);
      await eventually("the next master repairs", () => api.find(resources.clusterRoles, role, signal));
      assert.equal(next.child.exitCode, null);
    } finally {
      for (const { child } of masters) child.kill("SIGKILL");
    }
  });

  test(`a master that was paused while another took over ends without a write, on ${name}`, async () => {
    await using server = await start();
    await using api = server.connect();
    await using directory = await mkdtempDisposable(join(tmpdir(), "operator-"));
    const kubeconfig = join(directory.path, "kubeconfig");
    await writeFile(kubeconfig, server.kubeconfig);
    await deploy(api);
    const holder = async () =>
      stringAt(await api.get(resources.leases, lease, signal), "spec", "holderIdentity");

    const first = startMaster(kubeconfig);
    await eventually("the role", () => api.find(resources.clusterRoles, role, signal));
    const paused = await holder();
    const second = startMaster(kubeconfig);
    try {
      await eventually("the second master waits", async () =>
        second.output().includes("waiting for the lease"),
      );
      first.child.kill("SIGSTOP");
      await eventually("the second master leads", async () => {
        const now = await holder();
        return now !== undefined && now !== "" && now !== paused;
      });
      // Deletes an object that the leader restores. The suspended process observes the deletion only after it resumes.
      await api.delete(resources.clusterRoles, role, signal);
      await eventually("the second master repairs", () => api.find(resources.clusterRoles, role, signal));
      const before = await quiet(api);
      first.child.kill("SIGCONT");
      const [code] = await once(first.child, "exit", { signal });
      assert.equal(code, 1);
      assert.match(first.output(), /could not renew its lease in time|does not hold the lease/);
      assert.deepEqual(await revisions(api), before);
      assert.notEqual(await holder(), paused);
    } finally {
      for (const { child } of [first, second]) child.kill("SIGKILL");
    }
  });
}
