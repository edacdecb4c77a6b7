import type { Blob } from "./blob-store.ts";
import { StorageError } from "./storage-error.ts";

/** Checks conditional headers against the existing blob. @throws StorageError 412, 409 or 304 */
export function checkBlobConditions(
  headers: Readonly<Record<string, string>>,
  blob: Pick<Blob, "etag" | "changedAt"> | undefined,
  purpose: "read" | "write",
): void {
  const [ifMatch, ifNoneMatch] = [headers["if-match"], headers["if-none-match"]];
  if (ifMatch !== undefined && !(blob && names(ifMatch, blob.etag))) throw notMet();
  if (ifNoneMatch !== undefined && blob && names(ifNoneMatch, blob.etag)) {
    if (purpose === "read") throw notModified();
    if (ifNoneMatch === "*") {
      throw new StorageError(409, "BlobAlreadyExists", "The specified blob already exists.");
    }
    throw notMet();
  }
  if (!blob) return;
  const changed = Math.floor(Date.parse(blob.changedAt) / 1_000) * 1_000;
  const [since, unmodified] = [headers["if-modified-since"], headers["if-unmodified-since"]];
  if (since !== undefined && changed <= Date.parse(since)) {
    throw purpose === "read" ? notModified() : notMet();
  }
  if (unmodified !== undefined && changed > Date.parse(unmodified)) throw notMet();
}

function names(header: string, etag: string): boolean {
  return header.split(",").some((each) => {
    const tag = each.trim();
    return tag === "*" || tag === etag || tag === `"${etag}"`;
  });
}

function notMet(): StorageError {
  return new StorageError(
    412,
    "ConditionNotMet",
    "The condition specified using HTTP conditional header(s) is not met.",
  );
}

function notModified(): StorageError {
  return new StorageError(
    304,
    "ConditionNotMet",
    "The condition specified using HTTP conditional header(s) is not met.",
  );
}
