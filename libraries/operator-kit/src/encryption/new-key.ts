import type { JsonObject } from "@keelson/base";
import type { EncryptionState, ResourceKeys } from "./encryption-config.ts";
import { type EncryptedResource, type EncryptionMode, isMigrated, type NewKey } from "./encryption-key.ts";
import { isSameService } from "./kms-plugin.ts";

export interface KeyPolicy {
  readonly mode: EncryptionMode;
  /** Plugin configuration for mode `KMS`. */
  readonly plugin?: JsonObject;
  /** Reason for a new key, set from outside the operator. A changed value requests a new key. */
  readonly externalReason: string;
}

const rotationMs = 7 * 24 * 3_600_000;

/**
 * Returns the next key and the reason for it. Undefined if the newest key is still valid, or not yet fully in use. The new key's
 * number is higher than `newestWrittenId`. A key in a written configuration may still be in use although its Secret is missing.
 * The number of such a key must not be reused, because a KMS key is identified only by its number.
 */
export function nextKey(
  { desired, newestWrittenId }: { readonly desired: EncryptionState; readonly newestWrittenId: number },
  policy: KeyPolicy,
  resources: readonly EncryptedResource[],
  now: Date,
): Omit<NewKey, "kms"> | undefined {
  const needs = [...desired].flatMap(([resource, keys]) => {
    const reason = newKeyReason(keys, policy, resources, now);
    return reason === undefined ? [] : [{ resource, reason, id: (keys.readKeys[0]?.id ?? 0) + 1 }];
  });
  if (needs.length === 0) return undefined;
  const reasons = new Set(needs.map(({ reason }) => reason));
  const each = needs.map(({ resource, reason }) => `${resource.split(".")[0]}-${reason}`).toSorted();
  const [first = ""] = reasons;
  return {
    id: Math.max(newestWrittenId + 1, ...needs.map(({ id }) => id)),
    mode: policy.mode,
    internalReason: reasons.size === 1 && needs.length > 1 ? first : each.join(", "),
    externalReason: policy.externalReason,
  };
}

function newKeyReason(
  { readKeys }: ResourceKeys,
  { mode, plugin, externalReason }: KeyPolicy,
  resources: readonly EncryptedResource[],
  now: Date,
): string | undefined {
  const [newest] = readKeys;
  if (!newest) return mode === "identity" ? undefined : "key-does-not-exist";
  if (!newest.isBacked) return `encryption-config-key-${newest.id}-not-backed-by-secret`;
  if (readKeys.filter(({ isBacked }) => isBacked).length > 2 || !isMigrated(newest, resources))
    return undefined;
  if (newest.mode !== mode) return "encryption-mode-changed";
  if (mode === "identity") return undefined;
  // A key management service rotates its key material itself. A new key is needed only if the policy names a different service.
  if (mode === "KMS") return isSameService(newest.kms?.plugin, plugin) ? undefined : "kms-provider-changed";
  if (externalReason !== "" && newest.externalReason !== externalReason) return "external-reason-changed";
  const since = newest.migrated.at?.getTime() ?? 0;
  return now.getTime() - since > rotationMs ? "rotation-interval-has-passed" : undefined;
}
