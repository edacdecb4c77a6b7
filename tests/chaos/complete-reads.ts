import { setTimeout as delay } from "node:timers/promises";
import { httpConnectTimeoutMs } from "@keelson/base";
import { Agent } from "undici";
import type { CrashedInstance } from "../crashes/crashed-instance.ts";
import { HttpsClient, type PlainResponse } from "../crashes/https-client.ts";
import { armToken } from "../e2e/support/endpoints.ts";

/** Properties that every read of a cluster must return after its creation. */
const requiredProperties = [
  "provisioningState",
  "clusterProfile",
  "consoleProfile",
  "servicePrincipalProfile",
  "networkProfile",
  "masterProfile",
  "workerProfiles",
  "apiserverProfile",
  "ingressProfiles",
];
const keptFailures = 20;
const reportEveryMs = 30_000;

export interface ReadLoad {
  readonly clients: number;
  readonly pauseMs: number;
}

/**
 * Reads the cluster "demo" continuously, through the ARM API and the simulated ARM, until disposal. Each response with status 200
 * must contain a complete cluster.
 */
export class CompleteReads implements AsyncDisposable {
  /** Number of checked responses. Responses that report an unavailable service do not count. */
  count = 0;
  /** Incomplete responses. */
  readonly incomplete: string[] = [];
  readonly #stop = new AbortController();
  readonly #loops: readonly Promise<void>[];

  private constructor(readers: readonly HttpsClient[], path: string, pauseMs: number) {
    this.#loops = readers.map((client) => this.#read(client, path, pauseMs));
  }

  static async start(instance: CrashedInstance, { clients, pauseMs }: ReadLoad): Promise<CompleteReads> {
    const endpoints = instance.endpoints();
    const { arm, rp, subscriptionId, ca } = endpoints;
    const agent = new Agent({ connect: { timeout: httpConnectTimeoutMs, ca } });
    const authorization = `Bearer ${await armToken(endpoints, agent)}`;
    await agent.destroy();
    const readers = Array.from({ length: clients }, (_, at) =>
      at % 2 === 0 ? new HttpsClient(rp, { ca }) : new HttpsClient(arm, { ca }, true, { authorization }),
    );
    const path = `/subscriptions/${subscriptionId}/resourceGroups/demo/providers/Microsoft.RedHatOpenShift/openShiftClusters/demo?api-version=2025-07-25`;
    return new CompleteReads(readers, path, pauseMs);
  }

  /** Waits until `count` reads have completed. Reports the number of reads every 30 seconds. */
  async reached(count: number, signal: AbortSignal, report: (line: string) => void): Promise<void> {
    let reportAtMs = performance.now() + reportEveryMs;
    while (this.count < count) {
      await delay(50, undefined, { signal });
      if (performance.now() < reportAtMs) continue;
      report(`${this.count} of ${count} reads`);
      reportAtMs += reportEveryMs;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#loops);
  }

  async #read(client: HttpsClient, path: string, pauseMs: number): Promise<void> {
    await using _ = client;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      // Ignores connection errors because a crashed process closes its connections.
      const response = await client.send("GET", path, signal).catch(() => undefined);
      if (response) this.#check(response);
      await delay(response ? pauseMs : 100, undefined, { signal }).catch(() => undefined);
    }
  }

  #check({ status, body }: PlainResponse): void {
    // If the service is unavailable, ARM returns 502 to 504, or the service itself returns 503.
    if (status === 429 || status >= 502) return;
    this.count++;
    const missing = requiredProperties.filter((name) => body?.properties?.[name] === undefined);
    if (status === 200 && missing.length === 0) return;
    if (this.incomplete.length < keptFailures)
      this.incomplete.push(`${status} without ${missing.join()}: ${JSON.stringify(body)}`);
  }
}
