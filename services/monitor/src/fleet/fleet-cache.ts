import { allDocuments, type Change } from "@keelson/database";
import type { ClusterDocument, ServiceDatabase, Subscription } from "@keelson/model";
import { watchedDocument } from "./watched-document.ts";

/** Subscription states in which clusters are not monitored. */
const unwatched: ReadonlySet<string> = new Set(["Deleted", "Suspended", "Warned"]);

/**
 * Cache of the monitored clusters and their subscriptions. The reader of the database's change feed updates the cache. The cache
 * omits clusters during creation or deletion, and clusters with a failed creation or deletion.
 */
export class FleetCache {
  readonly #database: ServiceDatabase;
  /** Called for each cluster that was added, changed or removed. */
  readonly #onCluster: (id: string, document: ClusterDocument | undefined) => void;
  readonly #documents = new Map<string, ClusterDocument>();
  readonly #subscriptions = new Map<string, Subscription>();
  #isLoaded = false;

  constructor(
    database: ServiceDatabase,
    onCluster: (id: string, document: ClusterDocument | undefined) => void,
  ) {
    this.#database = database;
    this.#onCluster = onCluster;
  }

  /** True after all clusters have been read. */
  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  get size(): { readonly clusters: number; readonly subscriptions: number } {
    return { clusters: this.#documents.size, subscriptions: this.#subscriptions.size };
  }

  /** Returns a cluster document by ID. Undefined if the cluster is not monitored. */
  get(id: string): ClusterDocument | undefined {
    return this.#documents.get(id);
  }

  /** Returns a subscription. Undefined if its clusters are not monitored. */
  subscription(id: string): Subscription | undefined {
    return this.#subscriptions.get(id);
  }

  clusters(): Iterable<ClusterDocument> {
    return this.#documents.values();
  }

  async apply(change: Change, signal: AbortSignal): Promise<void> {
    if (change.kind === "resync") return this.#load(signal);
    const { clusters, subscriptions } = this.#database.collections;
    const { collection, partitionKey, id } = change;
    if (collection === clusters.definition.name)
      this.#keep(id, (await clusters.find(partitionKey, id, signal))?.document);
    else if (collection === subscriptions.definition.name)
      this.#keepSubscription(id, (await subscriptions.find(id, id, signal))?.document.subscription);
  }

  async #load(signal: AbortSignal): Promise<void> {
    const { clusters, subscriptions } = this.#database.collections;
    const gone = new Set(this.#documents.keys());
    const goneSubscriptions = new Set(this.#subscriptions.keys());
    for await (const { document } of allDocuments(subscriptions, signal)) {
      goneSubscriptions.delete(document.id);
      this.#keepSubscription(document.id, document.subscription);
    }
    for await (const { document } of allDocuments(clusters, signal)) {
      gone.delete(document.id);
      this.#keep(document.id, document);
    }
    for (const id of goneSubscriptions) this.#subscriptions.delete(id);
    for (const id of gone) this.#keep(id, undefined);
    this.#isLoaded = true;
  }

  #keep(id: string, document: ClusterDocument | undefined): void {
    const watched = document && watchedDocument(document);
    if (watched) this.#documents.set(id, watched);
    else if (!this.#documents.delete(id)) return;
    this.#onCluster(id, watched);
  }

  #keepSubscription(id: string, subscription: Subscription | undefined): void {
    if (subscription && !unwatched.has(subscription.state)) this.#subscriptions.set(id, subscription);
    else this.#subscriptions.delete(id);
  }
}
