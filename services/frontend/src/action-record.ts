import type { CloudErrorBody } from "@keelson/arm";
import { isCoded, Secret } from "@keelson/base";
import type { AdminActionDocument, AdminActionRecord } from "@keelson/model";

const nothing: AdminActionRecord = { progress: [], steps: {} };

/** @throws EncryptionKeyMissing, SecretTampered */
export function openRecord({ record }: AdminActionDocument): AdminActionRecord {
  if (!record) return nothing;
  // What is sealed under this document's ID was written by `sealedRecord`.
  return JSON.parse(record.reveal()) as AdminActionRecord;
}

/** The record, or why it cannot be opened: a key that is missing hides one action, and not all of them. */
export function recordOrFault(
  document: AdminActionDocument,
): AdminActionRecord & { readonly recordError?: CloudErrorBody } {
  try {
    return openRecord(document);
  } catch (error) {
    if (!isCoded(error)) throw error;
    return { ...nothing, recordError: { code: error.code, message: error.message } };
  }
}

export function isReadable(document: AdminActionDocument): boolean {
  return recordOrFault(document).recordError === undefined;
}

export function sealedRecord(record: AdminActionRecord): Secret {
  return new Secret(JSON.stringify(record));
}
