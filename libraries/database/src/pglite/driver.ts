import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { FileLock, isCoded, messageOf } from "@keelson/base";
import { errors } from "../documents/errors.ts";
import type { Driver } from "../drivers/driver.ts";

export interface PgliteOptions {
  /** Created when absent. One process at a time may have it open. In memory when undefined. */
  readonly dataDir: string | undefined;
  /** Of a data directory, as a tar, to start from in memory: making one takes seconds. */
  readonly image?: Blob;
}

/**
 * PostgreSQL inside this process. What was committed survives the death of the process; it is not flushed to the
 * disk at every commit, so a power cut can lose the last moments.
 */
export function pgliteDriver({ dataDir, image }: PgliteOptions): Driver {
  return {
    name: "pglite",
    exclusive: true,
    async open({ signal }) {
      signal.throwIfAborted();
      // Loaded here: processes without an embedded database do without its modules.
      const { createPglite, pgliteConnection } = await import("./connection.ts");
      if (dataDir === undefined) {
        const database = await createPglite(image ? { loadDataDir: image } : {});
        return pgliteConnection(database, () => database.close());
      }
      using stack = new DisposableStack();
      try {
        await mkdir(dirname(dataDir), { recursive: true });
        const lock = FileLock.acquire(`${dataDir}.lock`);
        if (!lock) throw errors.StoreInUse(`A different process has the database in ${dataDir} open.`);
        stack.use(lock);
        const { copyDataDirectory } = await import("./data-directory.ts");
        await copyDataDirectory(dataDir);
        const database = await createPglite({ dataDir });
        const kept = stack.move();
        return pgliteConnection(database, async () => {
          await database.close();
          kept.dispose();
        });
      } catch (cause) {
        if (isCoded(cause, "StoreInUse")) throw cause;
        const why = messageOf(cause).replace(/\.+$/, "");
        throw errors.StoreUnavailable(
          `The database in ${dataDir} does not open: ${why}. See that the folder can be written and its disk has room; one that is damaged is to be restored from a backup.`,
          { cause },
        );
      }
    },
  };
}
