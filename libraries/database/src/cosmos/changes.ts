import { ChangeFeedStartFrom } from "@azure/cosmos";
import type { Clock } from "@keelson/base";
import type { ChangeListener } from "../change-feed.ts";
import type { Change } from "../database.ts";
import type { CosmosConnection } from "./connection.ts";
import type { OwnedItem, Versioned } from "./items.ts";

/** More versions than these are not remembered; one forgotten is told twice. */
const remembered = 10_000;

const pageSize = 500;
const notModified = 304;

/**
 * Changes of this process at once, those of others by the change feed, each once: a version that was told is known
 * by its etag when it comes by the other way.
 */
export class CosmosChanges {
  readonly #connection: CosmosConnection;
  readonly #clock: Clock;
  readonly #pollMs: number;
  readonly #told = new Set<string>();
  #listener: ChangeListener | undefined;

  constructor(connection: CosmosConnection, clock: Clock, pollMs: number) {
    this.#connection = connection;
    this.#clock = clock;
    this.#pollMs = pollMs;
  }

  /** Tells the change that wrote the item version `etag`. */
  readonly tell = (etag: string, change: Change): void => {
    if (this.#told.has(etag)) return;
    this.#told.add(etag);
    for (const oldest of this.#told) {
      if (this.#told.size <= remembered) break;
      this.#told.delete(oldest);
    }
    this.#listener?.changed(change);
  };

  /** Reads the feed until the signal aborts. @throws StoreUnavailable */
  async listen(listener: ChangeListener, signal: AbortSignal): Promise<void> {
    const { documents } = this.#connection;
    const feed = documents.items.getChangeFeedIterator<Versioned<OwnedItem>>({
      changeFeedStartFrom: ChangeFeedStartFrom.Now(),
      maxItemCount: pageSize,
    });
    const next = () => this.#connection.send(signal, () => feed.readNext());
    // A partition is in the feed from its first visit on; each page is of one, and they come in turn.
    const { length } = await this.#connection.send(signal, () => documents.getFeedRanges());
    for (let visits = 0; visits < length && (await next()).statusCode !== notModified; ) visits++;
    this.#listener = listener;
    try {
      listener.listening();
      while (!signal.aborted) {
        const { statusCode, result } = await next();
        if (statusCode === notModified) await this.#clock.sleep(this.#pollMs, signal);
        else for (const item of result) this.#tellItem(item);
      }
    } finally {
      this.#listener = undefined;
    }
  }

  #tellItem(item: Versioned<OwnedItem>): void {
    if (item.kind === "claim" || (item.kind === "head" && !item.isGivenBack)) return;
    const { collection, partitionKey, documentId: id } = item;
    this.tell(item._etag, { kind: "changed", collection, partitionKey, id });
  }
}
