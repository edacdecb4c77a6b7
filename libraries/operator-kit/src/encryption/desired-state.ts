import type { EncryptionState, ResourceKeys } from "./encryption-config.ts";
import {
  type EncryptedResource,
  type EncryptionKey,
  isMigrated,
  isSameKey,
  newestFirst,
} from "./encryption-key.ts";

/**
 * Returns the configuration to deploy after the current one. Every API server must already run the current configuration.
 * Successive configurations first add the new key for decryption, then use it for encryption, and finally remove unneeded keys
 * after the migration. At any time, every API server can therefore read the data that any API server writes (openshift/library-go
 * pkg/operator/encryption/statemachine).
 */
export function desiredState(
  deployed: EncryptionState | undefined,
  backed: readonly EncryptionKey[],
  resources: readonly EncryptedResource[],
): EncryptionState {
  const none: ResourceKeys = { writeKey: undefined, readKeys: [] };
  const current = new Map(resources.map((each) => [each, deployed?.get(each) ?? none]));
  const [newest] = backed;
  if (!newest) return current;
  // If no configuration is deployed, every resource may contain data that was encrypted with an existing key.
  const encrypted = deployed ? resources.filter((each) => deployed.has(each)) : resources;
  const needed = neededKeys(encrypted, backed);

  const readable = mapState(current, ({ writeKey, readKeys }) => {
    const missing = needed.filter((key) => !readKeys.some((each) => isSameKey(each, key)));
    return { writeKey, readKeys: newestFirst([...readKeys, ...missing]) };
  });
  const grew = [...readable].some(
    ([each, { readKeys }]) => readKeys.length > (current.get(each)?.readKeys.length ?? 0),
  );
  // A key without its Secret must not become the write key. A new key must be created first.
  const unbacked = [...readable.values()].some(({ readKeys }) => !readKeys[0]?.isBacked);
  if (grew || unbacked) return readable;

  const writes = [...current.values()].every(({ writeKey }) => writeKey && isSameKey(writeKey, newest));
  if (!writes) return mapState(current, ({ readKeys }) => ({ writeKey: newest, readKeys }));

  if (!isMigrated(newest, encrypted)) return current;
  const last = needed.at(-1);
  return mapState(current, ({ writeKey, readKeys }) => {
    const end = last ? readKeys.findIndex((each) => isSameKey(each, last)) : -1;
    return { writeKey, readKeys: end < 0 ? readKeys : readKeys.slice(0, end + 1) };
  });
}

/** Returns the keys that stored data may depend on, and the next older key. The newest key comes first. */
function neededKeys(
  resources: readonly EncryptedResource[],
  backed: readonly EncryptionKey[],
): readonly EncryptionKey[] {
  let left = resources;
  for (const [at, key] of backed.entries()) {
    left = left.filter((each) => !key.migrated.resources.includes(each));
    if (left.length === 0) return backed.slice(0, at + 2);
  }
  return backed;
}

function mapState(state: EncryptionState, change: (keys: ResourceKeys) => ResourceKeys): EncryptionState {
  return new Map([...state].map(([resource, keys]) => [resource, change(keys)]));
}
