import { allDocuments, type Change } from "@keelson/database";
import type { GatewayDatabase, GatewayDocument } from "@keelson/model";

/** Cluster that uses a private link. */
export type LinkRecord = GatewayDocument["gateway"];

/** Cache of clusters by private link. The change feed reader updates it. */
export class LinkRecords {
  readonly #gateways: GatewayDatabase["collections"]["gateways"];
  readonly #records = new Map<string, LinkRecord>();
  #isLoaded = false;

  constructor(database: GatewayDatabase) {
    this.#gateways = database.collections.gateways;
  }

  /** True after all records have been read. */
  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  /** Returns the record of a link. Returns undefined if no cluster uses the link. */
  get(linkId: string): LinkRecord | undefined {
    return this.#records.get(linkId);
  }

  /** Applies a change of the link records. Returns the IDs of links that no longer belong to the same cluster as before. */
  async apply(change: Change, signal: AbortSignal): Promise<readonly string[]> {
    if (change.kind === "resync") return this.#load(signal);
    if (change.collection !== this.#gateways.definition.name) return [];
    const stored = await this.#gateways.find(change.partitionKey, change.id, signal);
    return this.#keep(change.id, stored?.document.gateway);
  }

  async #load(signal: AbortSignal): Promise<readonly string[]> {
    const gone = new Set(this.#records.keys());
    const retired: string[] = [];
    for await (const { document } of allDocuments(this.#gateways, signal)) {
      gone.delete(document.id);
      retired.push(...this.#keep(document.id, document.gateway));
    }
    for (const id of gone) retired.push(...this.#keep(id, undefined));
    this.#isLoaded = true;
    return retired;
  }

  #keep(linkId: string, record: LinkRecord | undefined): readonly string[] {
    const before = this.#records.get(linkId);
    const now = record && !record.deleting ? record : undefined;
    if (now) this.#records.set(linkId, now);
    else this.#records.delete(linkId);
    return before && before.id !== now?.id ? [linkId] : [];
  }
}
