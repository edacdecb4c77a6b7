import { closeSync, constants, openSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { basename, dirname } from "node:path";

/** Longest socket path that every kernel accepts. */
const maxPathBytes = 103;

/**
 * Connects to a Unix socket. On Linux the path may have any length, because directories of simulated
 * containers are deep.
 * @throws Error if the directory of a long path is missing
 */
export function connectUnixSocket(path: string): Socket {
  if (Buffer.byteLength(path) <= maxPathBytes) return connect(path);
  const folder = openSync(dirname(path), constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    // Sockets of files are connected, or refused, within the call.
    return connect(`/proc/self/fd/${folder}/${basename(path)}`);
  } finally {
    closeSync(folder);
  }
}
