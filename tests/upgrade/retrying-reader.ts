import { setTimeout as delay } from "node:timers/promises";
import type { ArmClient } from "../e2e/support/arm-client.ts";

/** Request without a response or with a 5xx response. */
export interface Failure {
  readonly at: number;
  readonly what: string;
}

/**
 * Reads a list repeatedly and retries failures. `connect` returns the client for the next read. To reuse connections, `connect`
 * may return the same client for several reads.
 */
export class RetryingReader {
  readonly failures: Failure[] = [];
  reads = 0;
  /** Largest number of consecutive failures so far. */
  worst = 0;
  readonly #connect: () => ArmClient;
  readonly #isKept: boolean;

  constructor(connect: () => ArmClient, isKept: boolean) {
    this.#connect = connect;
    this.#isKept = isKept;
  }

  async run(signal: AbortSignal): Promise<void> {
    let kept: ArmClient | undefined;
    try {
      while (!signal.aborted) {
        const client = kept ?? this.#connect();
        if (this.#isKept) kept = client;
        try {
          await this.#read(client);
        } finally {
          if (!this.#isKept) await client[Symbol.asyncDispose]();
        }
        await delay(40);
      }
    } finally {
      await kept?.[Symbol.asyncDispose]();
    }
  }

  async #read(client: ArmClient): Promise<void> {
    const path = `/subscriptions/${client.subscriptionId}/providers/Microsoft.RedHatOpenShift/openShiftClusters?api-version=2023-11-22`;
    for (let failed = 0; ; failed++) {
      const what = await client.call("GET", path).then(
        ({ status }) => (status === 200 ? undefined : `status ${status}`),
        (error: unknown) => String(error),
      );
      this.worst = Math.max(this.worst, failed);
      if (what === undefined) break;
      this.failures.push({ at: performance.now(), what });
      await delay(20);
    }
    this.reads++;
  }
}
