import type { AdminAction } from "@keelson/admin-actions";
import type { CloudErrorBody } from "@keelson/arm";
import { isCoded, type JsonObject, Secret } from "@keelson/base";
import type { AdminActionDocument, AdminActionRecord, ClusterDocument } from "@keelson/model";

/** Request for an action on a cluster. */
export interface ActionRequest {
  readonly action: AdminAction;
  readonly parameters: JsonObject;
  /** Cluster at the start of the action. */
  readonly document: ClusterDocument;
  readonly requestId: string;
  readonly caller: string | undefined;
  /** Reason given by the caller. */
  readonly reason?: string | undefined;
  readonly correlationId: string | undefined;
}

/** Parameters without secrets. */
export function recordedParameters({ action, parameters }: ActionRequest): JsonObject {
  return action.recorded?.(parameters) ?? parameters;
}

const nothing: AdminActionRecord = { progress: [], steps: {} };

/** @throws EncryptionKeyMissing, SecretTampered */
export function openRecord({ record }: AdminActionDocument): AdminActionRecord {
  if (!record) return nothing;
  // `sealedRecord` wrote the value that is sealed under this document's ID.
  return JSON.parse(record.reveal()) as AdminActionRecord;
}

/**
 * Returns the record, or the reason why it cannot be opened. A missing key then hides one action, not all of
 * them.
 */
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
