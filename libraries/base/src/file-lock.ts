import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

/**
 * Exclusive file lock of a process, based on the file locks of SQLite. The kernel releases the lock when the process exits, so a
 * crash leaves no stale lock.
 */
export class FileLock implements Disposable {
  readonly #database: DatabaseSync;

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /**
   * Acquires the lock. Creates the file if it does not exist. The directory of the file must exist. Returns undefined if a
   * process holds the lock.
   */
  static acquire(path: string): FileLock | undefined {
    // If no process holds the lock, only a concurrent `isHeld` or `acquire` can cause a conflict. The conflict then lasts only
    // for a few system calls, so the attempt is repeated.
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const database = open(path, "BEGIN EXCLUSIVE");
      if (database) return new FileLock(database);
      if (FileLock.isHeld(path)) return undefined;
      Atomics.wait(sleeper, 0, 0, attemptMs);
    }
    return undefined;
  }

  /** True if a process holds the lock. This call never makes a concurrent `acquire` fail. */
  static isHeld(path: string): boolean {
    if (!existsSync(path)) return false;
    // Acquires a shared (read) lock.
    const database = open(path, "BEGIN; SELECT 1 FROM sqlite_schema");
    database?.close();
    return database === undefined;
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}

const attemptMs = 5;
const maxAttempts = 1_000;
const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** Opens the file and begins a transaction. Returns undefined if a conflicting lock exists. */
function open(path: string, begin: string): DatabaseSync | undefined {
  const database = new DatabaseSync(path);
  try {
    database.exec(`PRAGMA locking_mode = EXCLUSIVE; ${begin}`);
    return database;
  } catch (error) {
    database.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}

const sqliteBusy = 5;

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === sqliteBusy;
}
