import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

/**
 * A lock on a file that one process at a time can hold. It is SQLite's: the kernel drops it with the process,
 * however that ends, so that a crash never leaves a stale lock behind.
 */
export class FileLock implements Disposable {
  readonly #database: DatabaseSync;

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Makes the file when it is absent; its folder exists. `undefined` when another process holds the lock. */
  static acquire(path: string): FileLock | undefined {
    const database = new DatabaseSync(path);
    try {
      database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
      return new FileLock(database);
    } catch (error) {
      database.close();
      if (isBusy(error)) return undefined;
      throw error;
    }
  }

  static isHeld(path: string): boolean {
    if (!existsSync(path)) return false;
    const lock = FileLock.acquire(path);
    lock?.[Symbol.dispose]();
    return lock === undefined;
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}

const sqliteBusy = 5;

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === sqliteBusy;
}
