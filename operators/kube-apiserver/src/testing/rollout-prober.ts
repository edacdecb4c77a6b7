import { setTimeout as delay } from "node:timers/promises";
import { conditionStatus, type KubeClient, type KubeObject, resources } from "@keelson/kube";
import { namespaces } from "../config/namespaces.ts";

const selection = { namespace: namespaces.target, labelSelector: "apiserver=true" };
const probeMs = 100;

/**
 * API client that runs during rollouts. It probes readiness through the load balancer, and counts the ready API servers after
 * each change.
 */
export class RolloutProber implements AsyncDisposable {
  /** Number of ready API servers after each change since the last `restart` call. */
  readonly counts: number[] = [];
  /** Number of failed probes. */
  failures = 0;
  readonly #kube: KubeClient;
  readonly #stop = new AbortController();
  readonly #pods = new Map<string, KubeObject>();
  readonly #running: readonly Promise<void>[];

  constructor(kube: KubeClient) {
    this.#kube = kube;
    this.#running = [this.#probe(), this.#follow()];
  }

  /** Resets all results. */
  restart(): void {
    this.counts.length = 0;
    this.failures = 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await Promise.allSettled(this.#running);
  }

  async #probe(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const isReady = await this.#kube.ready(signal).catch(() => false);
      if (!isReady && !signal.aborted) this.failures += 1;
      await delay(probeMs);
    }
  }

  async #follow(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const stream = this.#kube.watch(resources.pods, { ...selection, sendInitialEvents: true }, signal);
      let isWhole = false;
      for await (const event of stream) {
        if (event.type === "BOOKMARK") isWhole = true;
        else if (event.type === "DELETED") this.#pods.delete(event.object.metadata.name);
        else this.#pods.set(event.object.metadata.name, event.object);
        if (isWhole) this.counts.push([...this.#pods.values()].filter(isServing).length);
      }
    }
  }
}

function isServing(pod: KubeObject): boolean {
  return pod.metadata.deletionTimestamp === undefined && conditionStatus(pod, "Ready") === "True";
}
