import type { Document, LeasedCollection } from "@keelson/database";
import type { OrderDatabase } from "./documents.ts";

/** Simulated crash of a process, directly before or after the database executes a commit. */
export interface Crash {
  readonly moment: "before" | "after";
  /** Number of the commit at which the process crashes. The first commit has number 1. */
  readonly commit: number;
}

/** Returns the database of a process that crashes. After the crash, no request is executed and no response arrives. */
export function crashingDatabase(
  database: OrderDatabase,
  crash: Crash,
): Pick<OrderDatabase, "commit" | "collections"> {
  let commits = 0;
  let isDead = false;
  const check = () => {
    if (isDead) throw new Error("the process has died");
  };
  const whileAlive =
    <Args extends readonly unknown[], T>(call: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      check();
      const result = await call(...args);
      check();
      return result;
    };
  const queue = <T extends Document>(collection: LeasedCollection<T>): LeasedCollection<T> => ({
    ...collection,
    find: whileAlive(collection.find),
    list: whileAlive(collection.list),
    renew: whileAlive(collection.renew),
    release: whileAlive(collection.release),
  });
  const { orders, operations, entries } = database.collections;
  return {
    collections: {
      ...database.collections,
      orders: queue(orders),
      operations: { ...operations, find: whileAlive(operations.find) },
      entries: { ...entries, list: whileAlive(entries.list) },
    },
    commit: whileAlive(async (partitionKey, writes, options) => {
      const dies = ++commits === crash.commit;
      if (dies && crash.moment === "before") isDead = true;
      check();
      const result = await database.commit(partitionKey, writes, options);
      if (dies) isDead = true;
      return result;
    }),
  };
}
