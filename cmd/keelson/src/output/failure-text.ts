import { isCoded, messageOf } from "@keelson/base";

/**
 * Formats the error of a failed command. Operating system errors (files, sockets, disks) and lost leases are printed without a
 * stack. Unexpected errors are printed with a stack, for bug reports.
 */
export function failureText(error: unknown): string {
  // `suppressed` is the original error. `error` is a later error from a disposal.
  if (error instanceof SuppressedError) return failureText(error.suppressed);
  // Compares the class name instead of using `instanceof`, because the supervisor does not load the controller runtime that
  // defines the class.
  if (error instanceof Error && error.name === "LeadershipLost")
    return `${error.message}: another process leads now, start again to wait`;
  if (isSystemError(error) && "code" in error && error.code === "EADDRINUSE")
    return `${error.message}: another program listens there, --help names the options for other ports`;
  if (isCoded(error) || isSystemError(error)) return messageOf(error);
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** True for operating system errors, including those that SQLite reports. */
export function isSystemError(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  return "syscall" in error || ("code" in error && error.code === "ERR_SQLITE_ERROR");
}
