import { failures } from "@keelson/apimachinery";

/** What a client reads whose change the journal did not accept: a StatusError 500. */
export function storageFailure(error: unknown): Error {
  const why = error instanceof Error ? `: ${error.message}` : "";
  return failures.internal(error, `Internal error occurred: the storage did not accept the change${why}`);
}
