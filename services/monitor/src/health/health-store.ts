import { type Logger, messageOf } from "@keelson/base";
import { create, replace } from "@keelson/database";
import { type ClusterDocument, type HealthSummary, observe, type ServiceDatabase } from "@keelson/model";

export interface HealthStoreOptions {
  readonly database: Pick<ServiceDatabase, "collections" | "commit">;
  readonly logger: Logger;
}

/** Stores the health of clusters after each change, and at least every ten minutes. */
export class HealthStore {
  readonly #options: HealthStoreOptions;

  constructor(options: HealthStoreOptions) {
    this.#options = options;
  }

  /**
   * Stores the health of a cluster. Never rejects, because the collection must continue without the database. If the write fails,
   * the next collection stores the health.
   */
  async store(
    cluster: ClusterDocument,
    summary: HealthSummary,
    at: Date,
    signal: AbortSignal,
  ): Promise<void> {
    const { database, logger } = this.#options;
    const { id, partitionKey, key } = cluster;
    const { clusterHealth } = database.collections;
    try {
      const stored = await clusterHealth.find(partitionKey, id, signal);
      const observed = { id, partitionKey, clusterKey: key, observedAt: at.toISOString(), summary };
      const document = observe(stored?.document, observed);
      if (!document) return;
      const write = stored ? replace(clusterHealth, stored, document) : create(clusterHealth, document);
      const { kind } = await database.commit(partitionKey, [write], { signal });
      if (kind !== "committed")
        logger.debug({ resourceId: key, kind }, "health was stored by another monitor");
    } catch (error) {
      if (!signal.aborted) logger.warn({ resourceId: key, error: messageOf(error) }, "health was not stored");
    }
  }
}
