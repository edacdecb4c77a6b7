import { isCoded, messageOf } from "@keelson/base";

/**
 * What a command says of its failure. What the system refused (files, sockets, disks) needs no stack; of anything else
 * that nobody foresaw it is what a report needs.
 */
export function failureText(error: unknown): string {
  // What went wrong first, though the disposals that followed failed as well.
  if (error instanceof SuppressedError) return failureText(error.suppressed);
  if (isCoded(error) || isSystemError(error)) return messageOf(error);
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** True for refusals of the operating system, also by way of SQLite. */
export function isSystemError(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  return "syscall" in error || ("code" in error && error.code === "ERR_SQLITE_ERROR");
}
