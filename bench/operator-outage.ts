import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { adminKubeconfig, startEmbeddedProcess } from "@keelson/apiserver/testing";
import { connectKube, type KubeClient, resources } from "@keelson/kube";
import { type Fault, startUnwellFront, type UnwellFront } from "@keelson/operator-kit/testing";
import { serveOperator } from "./operator-cache.ts";
import { residentMegabytes, startMaster } from "./support/operator-process.ts";
import type { BenchOption } from "./support/options.ts";
import { figure, printTable } from "./support/table.ts";

const role = { name: "system:aro-sre" };
/** Restart delay in milliseconds. A kubelet also restarts a container almost immediately after its first exit. */
const restartMs = 1_000;
const faults: readonly Fault[] = [
  { kind: "gone" },
  { kind: "silent" },
  { kind: "slow", ms: 2_000 },
  { kind: "code", code: 500 },
  { kind: "code", code: 429 },
  { kind: "code", code: 403 },
];

export const outageOptions: Readonly<Record<string, BenchOption>> = {
  minutes: { value: "N", help: "duration of each outage, in minutes", least: 0.1, initial: "5" },
};

/** Measures the ARO operator's master role while its API server is faulty: requests, memory, restarts and recovery time. */
export async function benchOperatorOutage({
  minutes = "5",
}: Readonly<Record<string, string>>): Promise<void> {
  const outageMs = Number(minutes) * 60_000;
  const signal = AbortSignal.timeout(faults.length * (outageMs + 600_000));
  await using plane = await startEmbeddedProcess();
  const kubeconfig = adminKubeconfig(plane.url, plane.authority, plane.admin);
  await using kube = connectKube({ kubeconfig, userAgent: "bench", fieldManager: "bench" });
  await serveOperator(kube);
  await using front = await startUnwellFront(kubeconfig);
  await using directory = await mkdtempDisposable(join(tmpdir(), "bench-operator-"));
  const file = join(directory.path, "kubeconfig");
  await writeFile(file, front.kubeconfig);
  const rows = [
    [
      "the API server is",
      "requests in the 1st minute",
      "in the last",
      "resident MB before",
      "most",
      "restarts",
      "repaired after s",
    ],
  ];
  for (const fault of faults) {
    const master = new Supervised(file);
    try {
      // The new process may have to wait until the previous process's lease expires.
      await kube.delete(resources.clusterRoles, role, signal);
      await repaired(kube, signal);
      await delay(20_000);
      rows.push([nameOf(fault), ...(await during(fault, front, kube, master, outageMs, signal))]);
      process.stderr.write(`${rows.at(-1)?.join("  ")}\n`);
    } finally {
      await master.stop();
    }
  }
  printTable(rows);
}

function nameOf(fault: Fault): string {
  if (fault.kind === "code") return `answering ${fault.code}`;
  return fault.kind === "slow" ? `slow by ${fault.ms} ms` : fault.kind;
}

async function during(
  fault: Fault,
  front: UnwellFront,
  kube: KubeClient,
  master: Supervised,
  outageMs: number,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const before = master.residentMb;
  let most = before;
  const asked: number[] = [front.asked];
  const minuteMs = Math.min(60_000, outageMs);
  front.become(fault);
  await kube.delete(resources.clusterRoles, role, signal);
  for (let passed = 0; passed < outageMs; passed += 1_000) {
    await delay(1_000);
    most = Math.max(most, master.residentMb);
    if ((passed + 1_000) % minuteMs === 0) asked.push(front.asked);
  }
  const perMinute = asked.slice(1).map((each, at) => each - (asked[at] ?? 0));
  front.become(undefined);
  const began = performance.now();
  await repaired(kube, signal);
  const seconds = (performance.now() - began) / 1_000;
  most = Math.max(most, master.residentMb);
  const figures = [perMinute[0], perMinute.at(-1), before, most, master.restarts, seconds];
  return figures.map((each) => figure(each ?? Number.NaN));
}

async function repaired(kube: KubeClient, signal: AbortSignal): Promise<void> {
  while (!(await kube.find(resources.clusterRoles, role, signal))) await delay(50);
}

/** Runs the operator's master role as a process and restarts the process after each exit, like a kubelet. */
class Supervised {
  restarts = 0;
  readonly #kubeconfig: string;
  #child: ChildProcess;
  #isStopped = false;

  constructor(kubeconfig: string) {
    this.#kubeconfig = kubeconfig;
    this.#child = this.#start();
  }

  get residentMb(): number {
    return this.#child.exitCode === null ? residentMegabytes(this.#child) : 0;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#child.exitCode !== null) return;
    this.#child.kill("SIGTERM");
    await once(this.#child, "exit");
  }

  #start(): ChildProcess {
    // All restarts use the same pod name, so that a restarted process recognizes the lease of the previous process.
    const child = startMaster(this.#kubeconfig, { POD_NAME: "aro-operator-master-bench" });
    child.stderr?.resume();
    child.once("exit", async () => {
      if (this.#isStopped) return;
      this.restarts += 1;
      await delay(restartMs);
      if (!this.#isStopped) this.#child = this.#start();
    });
    return child;
  }
}
