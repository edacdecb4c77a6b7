import type { AdminAction } from "@keelson/admin-actions";
import type { CloudErrorBody } from "@keelson/arm";
import { isCoded, type JsonObject, Secret } from "@keelson/base";
import type { AdminActionDocument, AdminActionRecord, ClusterDocument } from "@keelson/model";

/** Who asked for which action on which cluster. */
export interface ActionRequest {
  readonly action: AdminAction;
  readonly parameters: JsonObject;
  /** The cluster as it was when the action began. */
  readonly document: ClusterDocument;
  readonly requestId: string;
  readonly caller: string | undefined;
  /** User name of the caller, for display only. */
  readonly callerName?: string | undefined;
  /** The authenticated caller and its role. Undefined if callers are not verified. */
  readonly subject?: string | undefined;
  readonly role?: string | undefined;
  /** Why, as the caller says. */
  readonly reason?: string | undefined;
  readonly correlationId: string | undefined;
}

/** Without secrets. */
export function recordedParameters({ action, parameters }: ActionRequest): JsonObject {
  return action.recorded?.(parameters) ?? parameters;
}

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
