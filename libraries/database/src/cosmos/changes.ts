import { ChangeFeedStartFrom } from "@azure/cosmos";
import type { Clock } from "@keelson/base";
import type { ChangeListener } from "../change-feed/change-feed.ts";
import type { Change } from "../documents/database.ts";
import type { CosmosConnection } from "./connection.ts";
import type { OwnedItem, Versioned } from "./items.ts";

/**
 * Maximum number of published item versions that are remembered. The oldest versions are forgotten first, and their changes can
 * then be published twice.
 */
const remembered = 10_000;

const pageSize = 500;
const notModified = 304;

/**
 * Publishes changes without duplicates. Changes of this process are published immediately. Changes of other processes are
 * published when the change feed reports them. The feed also reports this process's changes, which are recognized by their etag.
 */
export class CosmosChanges {
  readonly #connection: CosmosConnection;
  readonly #clock: Clock;
  readonly #pollMs: number;
  readonly #published = new Set<string>();
  #listener: ChangeListener | undefined;

  constructor(connection: CosmosConnection, clock: Clock, pollMs: number) {
    this.#connection = connection;
    this.#clock = clock;
    this.#pollMs = pollMs;
  }

  /** Publishes the change that created the item version `etag`. */
  readonly publishChange = (etag: string, change: Change): void => {
    if (this.#published.has(etag)) return;
    this.#published.add(etag);
    for (const oldest of this.#published) {
      if (this.#published.size <= remembered) break;
      this.#published.delete(oldest);
    }
    this.#listener?.changed(change);
  };

  /** Reads the change feed until the signal aborts. @throws StoreUnavailable */
  async listen(listener: ChangeListener, signal: AbortSignal): Promise<void> {
    const { documents } = this.#connection;
    const feed = documents.items.getChangeFeedIterator<Versioned<OwnedItem>>({
      changeFeedStartFrom: ChangeFeedStartFrom.Now(),
      maxItemCount: pageSize,
    });
    const next = () => this.#connection.send(signal, () => feed.readNext());
    // The feed reports only changes that happen after the first read of a partition. The loop therefore reads each partition once
    // before `listening` is called. Each page belongs to one partition, and the partitions are read in turn.
    const { length } = await this.#connection.send(signal, () => documents.getFeedRanges());
    for (let visits = 0; visits < length && (await next()).statusCode !== notModified; ) visits++;
    this.#listener = listener;
    try {
      listener.listening();
      while (!signal.aborted) {
        const { statusCode, result } = await next();
        if (statusCode === notModified) await this.#clock.sleep(this.#pollMs, signal);
        else for (const item of result) this.#publishItem(item);
      }
    } finally {
      this.#listener = undefined;
    }
  }

  #publishItem(item: Versioned<OwnedItem>): void {
    if (item.kind === "claim" || (item.kind === "head" && !item.isGivenBack)) return;
    const { collection, partitionKey, documentId: id } = item;
    this.publishChange(item._etag, { kind: "changed", collection, partitionKey, id });
  }
}
