import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { cliErrors } from "../cli-errors.ts";

/**
 * Lets one process at a time use a state directory. The lock is SQLite's file lock: the kernel drops it
 * with the process, however that ends, so that a crash never leaves a stale lock behind.
 */
export class StateLock implements Disposable {
  readonly #database: DatabaseSync;

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** @throws StateLocked when another process holds it */
  static acquire(directory: string): StateLock {
    const database = new DatabaseSync(join(directory, "lock"));
    try {
      database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    } catch (cause) {
      database.close();
      const pid = readPid(directory);
      throw cliErrors.StateLocked(
        `the state directory ${directory} is in use by a running instance${pid ? ` (process ${pid})` : ""}: ` +
          `stop it with "keelson down --state ${directory}", or choose another directory with --state DIR`,
        { cause },
      );
    }
    writeFileSync(pidFile(directory), `${process.pid}\n`);
    return new StateLock(database);
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}

/** The process that holds the lock now; `undefined` when nobody does. */
export function lockHolder(directory: string): number | undefined {
  if (!existsSync(join(directory, "lock"))) return undefined;
  const database = new DatabaseSync(join(directory, "lock"));
  try {
    database.exec("BEGIN EXCLUSIVE");
    return undefined;
  } catch {
    return readPid(directory);
  } finally {
    database.close();
  }
}

function pidFile(directory: string): string {
  return join(directory, "pid");
}

function readPid(directory: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(pidFile(directory), "utf8"), 10);
    return Number.isSafeInteger(pid) && pid > 1 ? pid : undefined;
  } catch {
    return undefined;
  }
}
