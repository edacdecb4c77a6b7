import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { adminKubeconfig, startEmbeddedProcess } from "@keelson/apiserver/testing";
import { clusters, defaultOperatorFlags, singleton } from "@keelson/aro-api";
import { aroDefinitions } from "@keelson/aro-api/manifests";
import { connectKube, type KubeClient, type KubeObject, resources } from "@keelson/kube";
import { openShiftCrds } from "@keelson/sim-openshift/testing";
import { residentMegabytes, startMaster } from "./support/operator-process.ts";
import { figure, printTable } from "./support/table.ts";

const signal = AbortSignal.timeout(900_000);
const many = 5_000;
const changes = 200;
const role = { name: "system:aro-sre" };
const machineNamespace = "openshift-machine-api";

/**
 * Measures the ARO operator's master role with 5,000 nodes, pods and machines: memory, cache fill time and the latency of a
 * change.
 */
export async function benchOperatorCache(): Promise<void> {
  await using plane = await startEmbeddedProcess();
  const kubeconfig = adminKubeconfig(plane.url, plane.authority, plane.admin);
  await using kube = connectKube({ kubeconfig, userAgent: "bench", fieldManager: "bench" });
  await using directory = await mkdtempDisposable(join(tmpdir(), "bench-operator-"));
  const file = join(directory.path, "kubeconfig");
  await writeFile(file, kubeconfig);
  await serveOperator(kube);
  const small = await measure(file, kube);
  await fill(kube);
  const large = await measure(file, kube);
  const row = (name: string, of: keyof typeof small, unit: string) => [
    name,
    figure(small[of]),
    figure(large[of]),
    unit,
    figure(large[of] / small[of]),
  ];
  printTable([
    ["the operator's master", "empty cluster", `${many} nodes, pods, machines`, "unit", "ratio"],
    row("process started to caches filled", "filledMs", "ms"),
    row("resident memory", "resident", "MB"),
    row("an object deleted to made again, median", "median", "ms"),
    row("an object deleted to made again, p99", "p99", "ms"),
  ]);
}

/** Creates the kinds, the namespaces and the Cluster object that the operator's master role needs. */
export async function serveOperator(kube: KubeClient): Promise<void> {
  const definitions = [...aroDefinitions, ...(openShiftCrds("Default") as unknown as readonly KubeObject[])];
  await Promise.all(
    definitions.map((each) => kube.ensure(resources.customResourceDefinitions, each, signal)),
  );
  for (const name of ["openshift-azure-operator", machineNamespace, "openshift-example"])
    await kube.ensure(
      resources.namespaces,
      { apiVersion: "v1", kind: "Namespace", metadata: { name } },
      signal,
    );
  const account = { namespace: "openshift-example", name: "default" };
  await kube.ensure(
    resources.serviceAccounts,
    { apiVersion: "v1", kind: "ServiceAccount", metadata: account },
    signal,
  );
  const spec = { operatorflags: { ...defaultOperatorFlags } };
  const cluster = { apiVersion: "aro.openshift.io/v1alpha1", kind: "Cluster", metadata: singleton, spec };
  for (;;) {
    const made = await kube.ensure(clusters, cluster, signal).catch(() => undefined);
    if (made) return;
    await delay(100);
  }
}

/** Creates objects with the size of real objects. */
async function fill(kube: KubeClient): Promise<void> {
  const labels = Object.fromEntries(
    Array.from({ length: 12 }, (_, index) => [`example.com/label-${index}`, `${index}`]),
  );
  const images = Array.from({ length: 40 }, (_, index) => ({
    names: [`registry.example/image-${index}@sha256:${"0".repeat(64)}`],
    sizeBytes: 1_000_000,
  }));
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < many; index = next++) {
      const name = `n${index}`;
      const conditions = [
        { type: "Ready", status: "True", reason: "KubeletReady", message: "kubelet is ready" },
      ];
      await kube.create(
        resources.nodes,
        { apiVersion: "v1", kind: "Node", metadata: { name, labels }, ...{ status: { conditions, images } } },
        signal,
      );
      const containers = [
        {
          name: "c",
          image: "busybox",
          env: Array.from({ length: 20 }, (_, at) => ({ name: `E${at}`, value: "x".repeat(40) })),
        },
      ];
      await kube.create(
        resources.pods,
        {
          apiVersion: "v1",
          kind: "Pod",
          metadata: { name, namespace: "openshift-example", labels },
          ...{ spec: { nodeName: name, containers } },
        },
        signal,
      );
      const value = {
        apiVersion: "machine.openshift.io/v1beta1",
        kind: "AzureMachineProviderSpec",
        vmSize: "Standard_D8s_v5",
        userDataSecret: { name: "u" },
        osDisk: { diskSizeGB: 128 },
        image: { publisher: "azureopenshift", offer: "aro4" },
      };
      const machineLabels = { ...labels, "machine.openshift.io/cluster-api-machine-role": "worker" };
      await kube.create(
        resources.machines,
        {
          apiVersion: "machine.openshift.io/v1beta1",
          kind: "Machine",
          metadata: { name, namespace: machineNamespace, labels: machineLabels },
          ...{ spec: { providerSpec: { value } } },
        },
        signal,
      );
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

async function measure(kubeconfig: string, kube: KubeClient) {
  const began = performance.now();
  const child = startMaster(kubeconfig);
  try {
    await says(child, "caches are filled");
    const filledMs = performance.now() - began;
    while (!(await kube.find(resources.clusterRoles, role, signal))) await delay(20);
    await delay(5_000);
    const times: number[] = [];
    for (let count = 0; count < changes; count++) {
      const { metadata } = await kube.get(resources.clusterRoles, role, signal);
      await kube.delete(resources.clusterRoles, role, signal);
      const from = performance.now();
      for (let live = undefined as KubeObject | undefined; !live || live.metadata.uid === metadata.uid; )
        live = await kube.find(resources.clusterRoles, role, signal);
      times.push(performance.now() - from);
    }
    const sorted = times.toSorted((a, b) => a - b);
    const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
    return { filledMs, resident: residentMegabytes(child), median: at(0.5), p99: at(0.99) };
  } finally {
    child.kill("SIGTERM");
    await once(child, "exit");
  }
}

async function says(child: ChildProcess, text: string): Promise<void> {
  if (!child.stderr) return;
  for await (const line of createInterface(child.stderr)) if (line.includes(text)) break;
  child.stderr.resume();
}
