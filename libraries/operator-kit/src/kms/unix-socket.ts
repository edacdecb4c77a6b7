import { closeSync, constants, openSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { basename, dirname } from "node:path";

/** Maximum length of a socket path in bytes that every kernel accepts. */
const maxPathBytes = 103;

/**
 * Connects to a Unix socket. On Linux, this function supports paths of any length, because the deep directories of simulated
 * containers result in long paths.
 * @throws Error if the directory of a long path is missing
 */
export function connectUnixSocket(path: string): Socket {
  if (Buffer.byteLength(path) <= maxPathBytes) return connect(path);
  const directory = openSync(dirname(path), constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    // A connection to a file socket succeeds or fails during the call, so the directory may be closed afterwards.
    return connect(`/proc/self/fd/${directory}/${basename(path)}`);
  } finally {
    closeSync(directory);
  }
}
