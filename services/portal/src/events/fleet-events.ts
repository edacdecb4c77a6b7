import { isDeepStrictEqual } from "node:util";
import { isTerminal } from "@keelson/arm";
import type { Clock, Logger } from "@keelson/base";
import { type Change, followChanges } from "@keelson/database";
import { definitions, type OperationDocument, type ServiceDatabase } from "@keelson/model";
import type { ClusterSummary, PortalEvents } from "@keelson/portal-api";
import { clusterSummary } from "../clusters/cluster-views.ts";
import { readFleet } from "../clusters/fleet.ts";
import { healthView } from "../clusters/health-view.ts";
import { operationView } from "../history/operations.ts";
import { EventLog, type PortalEvent } from "./event-log.ts";

export interface FleetEventsOptions {
  readonly database: ServiceDatabase;
  readonly clock: Clock;
  readonly logger: Logger;
}

type OperationEvent = PortalEvents["operation"];

export type EventListener = (event: PortalEvent) => void;

const keptEvents = 2_000;
/** Maximum number of running operations that new clients receive. */
const maxInFlight = 2_000;
/** Number of concurrent reads of operations. */
const concurrentReads = 20;

/**
 * Changes of the fleet, read from the database's change feed. All listeners share one reader, which starts with the first
 * listener. Disposal stops it.
 */
export class FleetEvents implements AsyncDisposable {
  readonly log = new EventLog(keptEvents);
  readonly #options: FleetEventsOptions;
  readonly #listeners = new Set<EventListener>();
  readonly #stop = new AbortController();
  /** Cluster summaries that were sent last, by document ID. */
  #known = new Map<string, ClusterSummary>();
  /** Running operations by ID, the oldest first. */
  readonly #inFlight = new Map<string, OperationEvent>();
  #running: Promise<void> | undefined;

  constructor(options: FleetEventsOptions) {
    this.#options = options;
  }

  /** Last events of the running operations. New clients receive them, because the next event can be minutes away. */
  get inFlight(): readonly OperationEvent[] {
    return [...this.#inFlight.values()];
  }

  /** Calls `listener` with each new event. Returns a function that removes the listener. */
  listen(listener: EventListener): () => void {
    this.#running ??= this.#follow();
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  #follow(): Promise<void> {
    const { database, clock, logger } = this.#options;
    const { signal } = this.#stop;
    return followChanges(database.changes(signal), (change) => this.#apply(change), {
      clock,
      logger,
      signal,
    });
  }

  async #apply(change: Change): Promise<void> {
    if (change.kind === "resync") return this.#resync();
    const { collection, partitionKey, id } = change;
    if (collection === definitions.clusters.name) await this.#clusterChanged(partitionKey, id);
    else if (collection === definitions.clusterHealth.name) await this.#healthChanged(partitionKey, id);
    else if (collection === definitions.operations.name) await this.#operationChanged(partitionKey, id);
  }

  async #resync(): Promise<void> {
    const { database, clock } = this.#options;
    const clusters = await readFleet(database, clock.now(), this.#stop.signal);
    this.#known = new Map(clusters.map((cluster) => [cluster.key, cluster]));
    this.#inFlight.clear();
    this.#emit("resync", {});
    await this.#readInFlight(clusters.filter(({ provisioningState }) => !isTerminal(provisioningState)));
  }

  /** Emits events of the running operations of clusters. */
  async #readInFlight(clusters: readonly ClusterSummary[]): Promise<void> {
    const { operations } = this.#options.database.collections;
    const left = clusters.slice(0, maxInFlight);
    while (left.length > 0) {
      const pages = left.splice(0, concurrentReads).map(({ subscription, resourceId }) => {
        const where = { openShiftClusterKey: resourceId.toLowerCase() };
        const query = { partitionKey: subscription, where, orderBy: "newestFirst", limit: 1 };
        return operations.list(query, this.#stop.signal);
      });
      for (const { items } of await Promise.all(pages))
        for (const { document } of items)
          if (document.asyncOperation.endTime === undefined) this.#emitOperation(document);
    }
  }

  async #clusterChanged(partitionKey: string, id: string): Promise<void> {
    const { database, clock } = this.#options;
    const { clusters, clusterHealth } = database.collections;
    const { signal } = this.#stop;
    const [stored, observed] = await Promise.all([
      clusters.find(partitionKey, id, signal),
      clusterHealth.find(partitionKey, id, signal),
    ]);
    const before = this.#known.get(id);
    if (!stored) {
      this.#known.delete(id);
      if (before) this.#emit("removed", { resourceId: before.resourceId });
      return;
    }
    const { createdAt } = stored.document.openShiftCluster.properties;
    const health = healthView(observed?.document, clock.now(), createdAt);
    const summary = clusterSummary(stored.document, health);
    this.#known.set(id, summary);
    if (!isDeepStrictEqual(before, summary)) this.#emit("cluster", summary);
  }

  /**
   * Emits an event if the health of a cluster has changed. The deletion of a health document causes no event. The document is
   * deleted with its cluster, or expires after a week.
   */
  async #healthChanged(partitionKey: string, id: string): Promise<void> {
    const { database, clock } = this.#options;
    const known = this.#known.get(id);
    const observed = await database.collections.clusterHealth.find(partitionKey, id, this.#stop.signal);
    if (!known || !observed) return;
    const health = healthView(observed.document, clock.now(), known.createdAt);
    if (isDeepStrictEqual(known.health, health)) return;
    this.#known.set(id, { ...known, health });
    this.#emit("health", { resourceId: known.resourceId.toLowerCase(), health });
  }

  async #operationChanged(partitionKey: string, id: string): Promise<void> {
    const { operations } = this.#options.database.collections;
    const stored = await operations.find(partitionKey, id, this.#stop.signal);
    if (stored) this.#emitOperation(stored.document);
    else this.#inFlight.delete(id);
  }

  #emitOperation(document: OperationDocument): void {
    const { id, kind, state, percentComplete, currentSteps } = operationView(document, []);
    const event = {
      resourceId: document.openShiftClusterKey,
      id,
      kind,
      state,
      ...(percentComplete === undefined ? {} : { percentComplete }),
      currentSteps,
    };
    if (document.asyncOperation.endTime !== undefined) this.#inFlight.delete(id);
    else if (this.#inFlight.has(id) || this.#inFlight.size < maxInFlight) this.#inFlight.set(id, event);
    this.#emit("operation", event);
  }

  #emit(...[name, data]: Parameters<EventLog["append"]>): void {
    const event = this.log.append(name, data);
    for (const listener of this.#listeners) listener(event);
  }
}
