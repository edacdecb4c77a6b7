import type { AdminAction } from "@keelson/admin-actions";
import type { CloudErrorBody } from "@keelson/arm";
import { isCoded, type JsonObject, Secret } from "@keelson/base";
import type { AdminActionDocument, AdminActionRecord, ClusterDocument } from "@keelson/model";

/** Request for an administrator's action on a cluster. */
export interface ActionRequest {
  readonly action: AdminAction;
  readonly parameters: JsonObject;
  /** Cluster document at the start of the action. */
  readonly document: ClusterDocument;
  readonly requestId: string;
  readonly caller: string | undefined;
  /** User name of the caller, for display only. */
  readonly callerName?: string | undefined;
  /** Authenticated caller. Undefined if callers are not verified. */
  readonly subject?: string | undefined;
  readonly role?: string | undefined;
  /** Reason that the caller gave. */
  readonly reason?: string | undefined;
  readonly correlationId: string | undefined;
}

/** Returns the action's parameters without secrets. */
export function recordedParameters({ action, parameters }: ActionRequest): JsonObject {
  return action.recorded?.(parameters) ?? parameters;
}

const nothing: AdminActionRecord = { progress: [], steps: {} };

/**
 * Decrypts and parses an action's record.
 * @throws EncryptionKeyMissing, SecretTampered
 */
export function openRecord({ record }: AdminActionDocument): AdminActionRecord {
  if (!record) return nothing;
  // The cast is safe, because only `sealedRecord` creates this value.
  return JSON.parse(record.reveal()) as AdminActionRecord;
}

/**
 * Returns the record, or the reason why it cannot be decrypted. Lists of actions therefore remain available if the key of one
 * record is missing.
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
