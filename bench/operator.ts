import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { listAt } from "@keelson/base";
import { connectKube, type KubeClient, type KubeResource, type ObjectKey, resources } from "@keelson/kube";
import { Program, StateDirectory } from "../tests/e2e/support/program.ts";
import {
  allOf,
  type CountingProxy,
  countsSince,
  type RequestCounts,
  startCountingProxy,
} from "./support/counting-proxy.ts";
import { residentMegabytes, startMaster } from "./support/operator-process.ts";
import { figure, printTable } from "./support/table.ts";

const signal = AbortSignal.timeout(900_000);
const namespace = "openshift-azure-operator";
const repairs = 40;
const idleMs = 70_000;
/**
 * Measurements of Azure/ARO-RP's operator on the same API server. The units are seconds for `conditions` and `repair`, MB for
 * `resident`, and requests for `idle` and `firstMinute`.
 */
const original = { conditions: 16.5, repair: "0.2-2.7", resident: 102, idle: 0, firstMinute: 873 };

/**
 * Managed objects, each with a change to make. The operator reverts the change immediately, and neither the change nor the revert
 * reboots nodes.
 */
const managed: readonly {
  readonly resource: KubeResource;
  readonly key: ObjectKey;
  readonly edit?: object;
}[] = [
  { resource: resources.clusterRoles, key: { name: "system:aro-sre" }, edit: { rules: [] } },
  { resource: resources.clusterRoleBindings, key: { name: "system:aro-diagnostics" } },
  {
    resource: resources.machineHealthChecks,
    key: { namespace: "openshift-machine-api", name: "aro-machinehealthcheck" },
    edit: { spec: { maxUnhealthy: "9" } },
  },
  {
    resource: resources.adminNetworkPolicies,
    key: { name: "aro-cco-deny-pprof" },
    edit: { spec: { priority: 7 } },
  },
  { resource: resources.clusterOperators, key: { name: "aro" } },
];

/**
 * Measures the ARO operator's master role as a separate process on an installed cluster. Prints the measurements of
 * Azure/ARO-RP's operator for comparison.
 */
export async function benchOperator(): Promise<void> {
  using state = new StateDirectory();
  await using world = Program.startUnder(
    [],
    "up",
    "--state",
    state.path,
    "--ports",
    "auto",
    "--operators",
    "none",
  );
  await world.says(/endpoints/);
  const kubeconfig = state.file("demo.kubeconfig");
  const text = readFileSync(kubeconfig, "utf8");
  await using kube = connectKube({ kubeconfig: text, userAgent: "bench", fieldManager: "bench" });
  const deployment = { namespace, name: "aro-operator-master" };
  const environment = {
    ...(await azureEnvironment(kube, deployment)),
    AZURE_CA_FILE: JSON.parse(readFileSync(state.file("endpoints.json"), "utf8")).caFile,
  };
  await kube.mergePatch(resources.deployments, deployment, { spec: { replicas: 0 } }, signal);
  await using proxy = await startCountingProxy(text);
  const counted = state.file("counted.kubeconfig");
  writeFileSync(counted, proxy.kubeconfig);
  const began = performance.now();
  const child = startMaster(counted, environment);
  child.stderr?.resume();
  try {
    const conditions = await untilReported(kube, began);
    progress(`all conditions after ${figure(conditions / 1_000)} s`);
    await delay(60_000 - (performance.now() - began));
    const firstMinute = proxy.counts();
    await quiet(proxy);
    progress("no writes for ten seconds; what it asks while idle is counted");
    const idle = await during(idleMs, proxy);
    progress("changes that it undoes");
    const times = (await repairTimes(kube)).toSorted((a, b) => a - b);
    const at = (share: number) =>
      times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
    const first = residentMegabytes(child);
    progress("a second start");
    printTable([
      ["the operator's master on a cluster of 3 + 3 nodes", "figure", "the original's", "unit"],
      ["process started to all conditions", figure(conditions / 1_000), figure(original.conditions), "s"],
      ["a change undone, median", figure(at(0.5) / 1_000), original.repair, "s"],
      ["a change undone, p99", figure(at(0.99) / 1_000), original.repair, "s"],
      ["resident memory", figure(await laterResident(child)), figure(original.resident), "MB"],
      ["resident memory of a first start, which compiles", figure(first), figure(original.resident), "MB"],
      ["requests in the first minute", `${allOf(firstMinute)}`, `${original.firstMinute}`, ""],
      ["writes among them", `${firstMinute.writes}`, "", ""],
      [
        "requests in 70 idle seconds, but for its lease's",
        `${allOf(idle) - idle.leases}`,
        `${original.idle}`,
        "",
      ],
      ["of its lease", `${idle.leases}`, "", ""],
    ]);
  } finally {
    child.kill("SIGKILL");
  }

  /** Stops the previous master process and starts a new one. Returns the resident memory of the new process. */
  async function laterResident(before: ChildProcess): Promise<number> {
    before.kill("SIGTERM");
    await once(before, "exit");
    const later = startMaster(kubeconfig, environment);
    later.stderr?.resume();
    try {
      await delay(60_000);
      return residentMegabytes(later);
    } finally {
      later.kill("SIGKILL");
    }
  }
}

/**
 * Returns the Azure environment variables of the operator's container, with resolved Secret references. With these variables, the
 * measured process can sign in to Azure like the operator in its pod.
 */
async function azureEnvironment(kube: KubeClient, deployment: Required<ObjectKey>) {
  const { data = {} } = (await kube.get(
    resources.secrets,
    { namespace, name: "azure-cloud-credentials" },
    signal,
  )) as { data?: Record<string, string> };
  const live = await kube.get(resources.deployments, deployment, signal);
  const [container] = listAt(live, "spec", "template", "spec", "containers");
  const env = listAt(container, "env") as readonly {
    readonly name: string;
    readonly value?: string;
    readonly valueFrom?: { readonly secretKeyRef?: { readonly key: string } };
  }[];
  return Object.fromEntries(
    env.flatMap(({ name, value, valueFrom }) => {
      const key = valueFrom?.secretKeyRef?.key;
      const text = key === undefined ? value : Buffer.from(data[key] ?? "", "base64").toString();
      // Omits the variable for the CA file, because its path exists only in the pod. The caller sets this variable to the CA file
      // in the state directory.
      return !name.startsWith("AZURE_") || name === "AZURE_CA_FILE" || text === undefined
        ? []
        : [[name, text]];
    }),
  );
}

/**
 * Waits until the operator has added no condition for five seconds. Returns the milliseconds from `began` until the last
 * condition was added.
 */
async function untilReported(kube: KubeClient, began: number): Promise<number> {
  let count = 0;
  let last = began;
  while (count === 0 || performance.now() - last < 5_000) {
    const live = await kube.get(resources.aroClusters, { name: "cluster" }, signal);
    const now = listAt(live, "status", "conditions").length;
    if (now !== count) last = performance.now();
    count = now;
    await delay(50);
  }
  return last - began;
}

async function repairTimes(kube: KubeClient): Promise<readonly number[]> {
  const times: number[] = [];
  for (let index = 0; index < repairs; index++) {
    const target = managed[index % managed.length];
    if (!target) break;
    const { resource, key, edit } = target;
    const before = await kube.get(resource, key, signal);
    const edits = edit !== undefined && index % 2 === 0;
    let changed = before.metadata.uid;
    if (edits) changed = (await kube.mergePatch(resource, key, { ...edit }, signal)).metadata.resourceVersion;
    else await kube.delete(resource, key, signal);
    const began = performance.now();
    for (;;) {
      const live = await kube.find(resource, key, signal);
      const now = edits ? live?.metadata.resourceVersion : live?.metadata.uid;
      if (live && now !== changed) break;
      await delay(2);
    }
    times.push(performance.now() - began);
    await delay(200);
  }
  return times;
}

async function during(ms: number, proxy: CountingProxy): Promise<RequestCounts> {
  const before = proxy.counts();
  await delay(ms);
  return countsSince(before, proxy.counts());
}

/** Waits until the operator has written nothing for ten seconds, but at most two minutes. */
async function quiet(proxy: CountingProxy): Promise<void> {
  for (let tries = 0; tries < 12; tries++) if ((await during(10_000, proxy)).writes === 0) return;
}

/** Prints progress because the benchmark runs for four minutes. */
function progress(text: string): void {
  process.stderr.write(`${text}\n`);
}
