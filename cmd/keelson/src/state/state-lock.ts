import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { FileLock, isCoded } from "@keelson/base";
import { cliErrors } from "../output/cli-errors.ts";
import { shellWord } from "../output/shell-word.ts";

/**
 * Locks a state directory for one process.
 * @throws StateLocked if a different process holds the lock
 */
export function acquireState(directory: string): Disposable {
  const lock = FileLock.acquire(lockFile(directory));
  if (!lock) {
    throw cliErrors.StateLocked(
      `${inUse(directory)}: ${stopIt(directory)}, or choose another directory with --state DIR`,
    );
  }
  writeFileSync(pidFile(directory), `${process.pid}\n`);
  return lock;
}

/**
 * Runs `work`, which opens the service's database.
 * @throws StateLocked if `work` fails because a running instance has the embedded database open
 */
export async function withDatabase<T>(directory: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!isCoded(cause, "StoreInUse") || stateHolder(directory) === undefined) throw cause;
    throw cliErrors.StateLocked(`${inUse(directory)} and has its database open: ${stopIt(directory)}`, {
      cause,
    });
  }
}

function inUse(directory: string): string {
  const pid = readPid(directory);
  return `the state directory ${directory} is in use by a running instance${pid ? ` (process ${pid})` : ""}`;
}

function stopIt(directory: string): string {
  return `stop it with "keelson down --state ${shellWord(directory)}"`;
}

/** Returns the ID of the process that uses the directory, or `undefined`. @throws StateUnreadable */
export function stateHolder(directory: string): number | undefined {
  if (!FileLock.isHeld(lockFile(directory))) return undefined;
  const pid = readPid(directory);
  if (pid !== undefined) return pid;
  throw cliErrors.StateUnreadable(
    `${directory} is in use, but ${pidFile(directory)} does not say by which process: end that one by hand`,
  );
}

function lockFile(directory: string): string {
  return join(directory, "lock");
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
