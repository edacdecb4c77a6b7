import { Secret } from "@keelson/base";
import type { AdminActionDocument, AdminActionRecord } from "@keelson/model";

const nothing: AdminActionRecord = { progress: [], steps: {} };

/** @throws EncryptionKeyMissing, SecretTampered */
export function openRecord({ record }: AdminActionDocument): AdminActionRecord {
  if (!record) return nothing;
  // What is sealed under this document's ID was written by `sealedRecord`.
  return JSON.parse(record.reveal()) as AdminActionRecord;
}

export function sealedRecord(record: AdminActionRecord): Secret {
  return new Secret(JSON.stringify(record));
}
