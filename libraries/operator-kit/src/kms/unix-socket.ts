import { closeSync, constants, openSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { basename, dirname } from "node:path";

/** What every kernel takes as the path of a socket. */
const maxPathBytes = 103;

/**
 * Connects to a Unix socket, of any length of path on Linux: folders of simulated containers are deep.
 * @throws Error when the folder of a long path is not there
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
