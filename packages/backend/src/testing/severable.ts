import type { ClusterEnvironment } from "@keelson/cluster";
import type { Document, LeasedCollection } from "@keelson/database";
import type { ServiceDatabase } from "@keelson/model";

/** A process's connections to everything outside, which can all be cut at once, as by its death. */
export interface Severable {
  readonly database: ServiceDatabase;
  readonly environment: ClusterEnvironment;
  cut(): void;
}

export function severable(database: ServiceDatabase, environment: ClusterEnvironment): Severable {
  const gone = new AbortController();
  const check = () => gone.signal.throwIfAborted();
  const guarded =
    <Args extends readonly unknown[], T>(call: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      check();
      const result = await call(...args);
      // What the database did is done, but nobody is there any more to hear of it.
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
      commit: guarded(database.commit),
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
    cut: () => gone.abort(new Error("the process is gone")),
  };
}
