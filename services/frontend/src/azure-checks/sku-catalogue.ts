import { type AzureClients, listMachineSkus, type MachineSku } from "@keelson/azure";
import type { Clock } from "@keelson/base";
import { SharedReads } from "./shared-reads.ts";

export type Skus = ReadonlyMap<string, MachineSku>;

const keptMs = 5 * 60_000;
const maxKept = 200;

/**
 * Caches the VM sizes that are available to a subscription, because Azure's list is long, changes rarely and is returned slowly.
 * A list is cached for a few minutes after it was read.
 */
export class SkuCatalogue {
  readonly #clock: Clock;
  readonly #kept = new Map<string, { readonly skus: Skus; readonly untilMs: number }>();

  readonly #reads: SharedReads<Skus>;

  /** `limitMs` is the time limit in ms for a read of Azure's list. */
  constructor(clock: Clock, limitMs: number) {
    this.#clock = clock;
    this.#reads = new SharedReads(limitMs);
  }

  /** Returns the available sizes. Reads them from Azure if `fresh` is true or if they are not cached. */
  async get(
    azure: Pick<AzureClients, "compute">,
    { subscriptionId, location, fresh }: { subscriptionId: string; location: string; fresh: boolean },
    signal: AbortSignal,
  ): Promise<{ readonly skus: Skus; readonly kept: boolean }> {
    const key = `${subscriptionId}/${location}`;
    const known = this.#kept.get(key);
    if (known && !fresh && this.#clock.monotonicMs() < known.untilMs) return { skus: known.skus, kept: true };
    const read = (shared: AbortSignal) => listMachineSkus(azure.compute, location, shared);
    const skus = await this.#reads.of(key, read, signal);
    this.#kept.delete(key);
    this.#kept.set(key, { skus, untilMs: this.#clock.monotonicMs() + keptMs });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > maxKept && oldest !== undefined) this.#kept.delete(oldest);
    return { skus, kept: false };
  }
}
