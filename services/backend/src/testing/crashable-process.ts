import type { ClusterEnvironment } from "@keelson/cluster";
import type { Document, LeasedCollection, Write } from "@keelson/database";
import type { ServiceDatabase } from "@keelson/model";

/** Outgoing connections of a simulated process. Cutting them simulates a crash. */
export interface Severable {
  readonly database: ServiceDatabase;
  readonly environment: ClusterEnvironment;
  cut(): void;
  /** Aborts when the connections are cut. */
  readonly gone: AbortSignal;
}

/**
 * Wraps the connections of a process. `diesAfter` selects commits after which the process crashes. The database executes these
 * commits, but the process receives no response.
 */
export function crashableProcess(
  database: ServiceDatabase,
  environment: ClusterEnvironment,
  diesAfter: (writes: readonly Write[]) => boolean = () => false,
): Severable {
  const gone = new AbortController();
  const cut = () => gone.abort(new Error("the process is gone"));
  const check = () => gone.signal.throwIfAborted();
  const guarded =
    <Args extends readonly unknown[], T>(call: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      check();
      const result = await call(...args);
      // The database has committed, but a crashed process receives no response.
      check();
      return result;
    };
  const queue = <T extends Document>(collection: LeasedCollection<T>): LeasedCollection<T> => ({
    ...collection,
    find: guarded(collection.find),
    list: guarded(collection.list),
    acquire: guarded(collection.acquire),
    renew: guarded(collection.renew),
    release: guarded(collection.release),
  });
  const { clusters, subscriptions } = database.collections;
  return {
    database: {
      ...database,
      collections: {
        ...database.collections,
        clusters: queue(clusters),
        subscriptions: queue(subscriptions),
      },
      commit: guarded(async (partitionKey, writes, commitOptions) => {
        const result = await database.commit(partitionKey, writes, commitOptions);
        if (result.kind === "committed" && diesAfter(writes)) cut();
        return result;
      }),
      changes: (signal) => database.changes(AbortSignal.any([signal, gone.signal])),
      [Symbol.asyncDispose]: async () => {},
    },
    environment: {
      ...environment,
      connectAzure: (subscriptionId, connection) =>
        environment.connectAzure(subscriptionId, { ...connection, beforeRequest: check }),
      connectAzureAs: (credential, subscriptionId, connection) =>
        environment.connectAzureAs(credential, subscriptionId, { ...connection, beforeRequest: check }),
    },
    cut,
    gone: gone.signal,
  };
}
