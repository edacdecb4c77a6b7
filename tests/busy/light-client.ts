import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { connectKube, type KubeClient, resources } from "@keelson/kube";
import { ArmClient } from "../e2e/support/arm-client.ts";
import { type Outcome, Program, type StateDirectory } from "../e2e/support/program.ts";
import type { TimedRequest } from "./client-failure.ts";

export const requestKinds = ["arm", "kube", "kubectl"] as const;
export type RequestKind = (typeof requestKinds)[number];

/** Completed creation or deletion of a cluster. */
export interface ClusterOperation {
  readonly kind: "create" | "delete";
  readonly seconds: number;
  readonly failure?: string;
}

/** Results since the previous call of `take`. */
export interface ClientResults {
  readonly requests: Readonly<Record<RequestKind, readonly TimedRequest[]>>;
  readonly operations: readonly ClusterOperation[];
}

const everyMs: Readonly<Record<RequestKind, number>> = { arm: 1_000, kube: 1_000, kubectl: 10_000 };
const clusterEveryMs = 60_000;
/** Maximum number of concurrent requests while the service does not respond. */
const maxConcurrent = 100;
const run = promisify(execFile);

/**
 * Simulated customer with the cluster "demo". It reads the cluster's state continuously and sometimes creates a second cluster.
 */
export class LightClient implements AsyncDisposable {
  readonly #state: StateDirectory;
  readonly #arm: ArmClient;
  readonly #kube: KubeClient;
  readonly #stop = new AbortController();
  readonly #loops: readonly Promise<void>[];
  #requests: Record<RequestKind, TimedRequest[]> = { arm: [], kube: [], kubectl: [] };
  #operations: ClusterOperation[] = [];

  constructor(state: StateDirectory) {
    this.#state = state;
    this.#arm = new ArmClient(state.file("endpoints.json"));
    const kubeconfig = readFileSync(state.file("demo.kubeconfig"), "utf8");
    this.#kube = connectKube({ kubeconfig, userAgent: "busy", fieldManager: "busy" });
    this.#loops = [...requestKinds.map((kind) => this.#repeat(kind)), this.#createClusters()];
  }

  get kube(): KubeClient {
    return this.#kube;
  }

  /** Returns the results since the previous call of `take` and resets them. */
  take(): ClientResults {
    const results = { requests: this.#requests, operations: this.#operations };
    this.#requests = { arm: [], kube: [], kubectl: [] };
    this.#operations = [];
    return results;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#loops);
    await this.#kube[Symbol.asyncDispose]();
    await this.#arm[Symbol.asyncDispose]();
  }

  /** Sends requests at a fixed rate. A slow response does not delay the next request. */
  async #repeat(kind: RequestKind): Promise<void> {
    const running = new Set<Promise<void>>();
    while (!this.#stop.signal.aborted) {
      if (running.size < maxConcurrent) {
        const request = this.#measure(kind).finally(() => running.delete(request));
        running.add(request);
      }
      await this.#wait(everyMs[kind]);
    }
    await Promise.all(running);
  }

  async #measure(kind: RequestKind): Promise<void> {
    const startedMs = performance.now();
    const failure = await this.#send(kind).then(
      () => undefined,
      (error: unknown) => describeError(error),
    );
    if (this.#stop.signal.aborted && failure !== undefined) return;
    const endedMs = performance.now();
    this.#requests[kind].push({ startedMs, endedMs, ...(failure === undefined ? {} : { failure }) });
  }

  async #send(kind: RequestKind): Promise<void> {
    if (kind === "kube") {
      await this.#kube.get(resources.namespaces, { name: "default" }, this.#stop.signal);
    } else if (kind === "kubectl") {
      const flags = ["--kubeconfig", this.#state.file("demo.kubeconfig")];
      const cache = ["--cache-dir", this.#state.file("kubectl-cache")];
      await run("kubectl", [...flags, ...cache, "get", "nodes"], { signal: this.#stop.signal });
    } else {
      const { status, body } = await this.#arm.call(
        "GET",
        `${this.#arm.cluster("demo")}?api-version=2025-07-25`,
      );
      if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
    }
  }

  async #createClusters(): Promise<void> {
    const cluster = async (kind: ClusterOperation["kind"], name: string) => {
      const startedMs = performance.now();
      const outcome = await runUntil(this.#stop.signal, "cluster", kind, name, "--state", this.#state.path);
      if (outcome === undefined) return;
      const seconds = (performance.now() - startedMs) / 1_000;
      const failure = outcome.code === 0 ? {} : { failure: outcome.stderr.slice(-1_000) };
      this.#operations.push({ kind, seconds, ...failure });
    };
    for (let count = 0; !this.#stop.signal.aborted; count++) {
      await this.#wait(clusterEveryMs);
      await cluster("create", `busy${count}`);
      await cluster("delete", `busy${count}`);
    }
  }

  async #wait(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#stop.signal }).catch(() => undefined);
  }
}

/** Runs the program until it exits. Undefined if the signal aborts first. */
async function runUntil(signal: AbortSignal, ...args: string[]): Promise<Outcome | undefined> {
  if (signal.aborted) return undefined;
  await using program = Program.start(...args);
  const kill = () => program.child.kill("SIGKILL");
  signal.addEventListener("abort", kill, { once: true });
  const code = await new Promise<number | null>((resolve) => program.child.once("close", resolve));
  signal.removeEventListener("abort", kill);
  return signal.aborted ? undefined : { code, stdout: program.stdout, stderr: program.stderr };
}

function describeError(error: unknown): string {
  const { code, message, stderr }: { code?: unknown; message?: unknown; stderr?: unknown } = Object(error);
  return [code, typeof stderr === "string" && stderr !== "" ? stderr : message]
    .filter(Boolean)
    .join(": ")
    .slice(0, 1_000);
}

/** True if kubectl is available. First adds the directory of `scripts/install-clients.sh` to the start of `PATH`. */
export async function hasKubectl(root: string): Promise<boolean> {
  process.env.PATH = `${root}.tools/clients/bookworm/usr/bin:${process.env.PATH}`;
  return run("kubectl", ["version", "--client"]).then(
    () => true,
    () => false,
  );
}
