import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { FileLock, isCoded, messageOf } from "@keelson/base";
import { errors } from "../documents/errors.ts";
import type { Driver } from "../drivers/driver.ts";

export interface PgliteOptions {
  /** Data directory. Created if it does not exist. Only one process at a time can open it. Default: in memory. */
  readonly dataDir: string | undefined;
  /**
   * Tar archive of an initialized data directory. An in-memory database starts from it, because an initialization takes seconds.
   */
  readonly image?: Blob;
}

/**
 * Returns a driver for embedded PostgreSQL in this process. Committed data survives the exit of the process. Commits are not
 * flushed to disk, so a power failure can lose the most recent ones.
 */
export function pgliteDriver({ dataDir, image }: PgliteOptions): Driver {
  return {
    name: "pglite",
    exclusive: true,
    async open({ signal }) {
      signal.throwIfAborted();
      // Imported here, so that processes without an embedded database do not load these modules.
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
          `The database in ${dataDir} cannot be opened: ${why}. Check that the directory is writable and the disk has free space. Restore a damaged database from a backup.`,
          { cause },
        );
      }
    },
  };
}
