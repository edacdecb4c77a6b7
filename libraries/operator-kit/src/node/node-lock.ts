import { type Clock, FileLock } from "@keelson/base";
import type { NodeDisk } from "./node-disk.ts";

const pollMs = 250;

/**
 * Acquires an exclusive lock on a node's static pod manifests or certificates. The kernel releases the lock when the process
 * exits.
 */
export async function lockNode(
  disk: NodeDisk,
  path: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<FileLock> {
  await using opened = await disk.openLock(path);
  for (;;) {
    signal.throwIfAborted();
    const lock = FileLock.acquire(opened.place);
    if (lock) return lock;
    await clock.sleep(pollMs, signal);
  }
}

/** Returns the lock file of the certificates that installers and the cert syncer write. */
export function certificatesLock(certDir: string): string {
  return `${certDir}/.lock`;
}
