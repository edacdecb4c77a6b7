import { failures } from "@keelson/apimachinery";

/** Returns the StatusError 500 for a change that the journal rejected. */
export function storageFailure(error: unknown): Error {
  const why = error instanceof Error ? `: ${error.message}` : "";
  return failures.internal(error, `Internal error occurred: the storage rejected the change${why}`);
}
