import type { Clock } from "@keelson/base";
import { type Catalogue, loadCatalogue } from "./load-catalogue.ts";

const maxAgeMs = 10 * 60_000;

/**
 * Caches the catalogue. The catalogue is read again periodically, after a failure, and for a different architecture. The
 * JavaScript garbage collector may remove the catalogue from the cache, so that an idle operator does not retain it in memory.
 * After a removal, it is read again.
 */
export class CatalogueStore {
  readonly #directory: string;
  readonly #clock: Clock;
  #loaded:
    | { readonly architecture: string; readonly catalogue: WeakRef<Catalogue>; readonly at: number }
    | undefined;

  constructor(directory: string, clock: Clock) {
    this.#directory = directory;
    this.#clock = clock;
  }

  /** @throws ContentUnreadable */
  async get(architecture: string, signal: AbortSignal): Promise<Catalogue> {
    const now = this.#clock.now().getTime();
    const known = this.#loaded;
    if (known?.architecture === architecture && now - known.at < maxAgeMs) {
      const kept = known.catalogue.deref();
      if (kept) return kept;
    }
    this.#loaded = undefined;
    const catalogue = await loadCatalogue(this.#directory, architecture, signal);
    this.#loaded = { architecture, catalogue: new WeakRef(catalogue), at: now };
    return catalogue;
  }
}
