import { isCoded, messageOf } from "@keelson/base";

/**
 * The text of a command's failure. Errors of the operating system (files, sockets, disks) and the loss of a lease go
 * without a stack; unexpected errors have one, for a report.
 */
export function failureText(error: unknown): string {
  // The first error; the others came from disposals after it.
  if (error instanceof SuppressedError) return failureText(error.suppressed);
  // The name identifies the class, because the supervisor does not load the controller runtime.
  if (error instanceof Error && error.name === "LeadershipLost")
    return `${error.message}: another process leads now, start again to wait`;
  if (isSystemError(error) && "code" in error && error.code === "EADDRINUSE")
    return `${error.message}: another program listens there, --help names the options for other ports`;
  if (isCoded(error) || isSystemError(error)) return messageOf(error);
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** True for errors of the operating system, also those that SQLite reports. */
export function isSystemError(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  return "syscall" in error || ("code" in error && error.code === "ERR_SQLITE_ERROR");
}
