import { isPlainObject, listAt, stringAt, valueAt } from "@keelson/base";
import {
  type EncryptedResource,
  type EncryptionKey,
  type EncryptionMode,
  emptyKey,
  isSameKey,
  newestFirst,
  unbacked,
} from "./encryption-key.ts";
import { kmsConfigData, kmsProvider, kmsProviderId, readKmsConfigData } from "./kms-key.ts";
import { isSameService } from "./kms-plugin.ts";

/** Encryption keys of one resource. */
export interface ResourceKeys {
  /** Key that encrypts new writes. Undefined if objects are stored unencrypted. */
  readonly writeKey: EncryptionKey | undefined;
  /** Keys that decrypt stored data, including the write key. The newest key comes first. */
  readonly readKeys: readonly EncryptionKey[];
}

export type EncryptionState = ReadonlyMap<EncryptedResource, ResourceKeys>;

/** Returns the distinct read keys of all resources, newest first. */
export function readKeysOf(state: EncryptionState): readonly EncryptionKey[] {
  const keys = [...state.values()].flatMap(({ readKeys }) => readKeys);
  return newestFirst([...new Map(keys.map((key) => [key.id, key])).values()]);
}

type Provider = Readonly<Record<string, unknown>>;

/** Base64 data of the encryption Secret that API servers mount. */
export type EncryptionData = Readonly<Record<string, unknown>>;

export const configMember = "encryption-config";

/** Returns the Secret data with the EncryptionConfiguration and the files of the KMS plugins. */
export function writeEncryptionData(state: EncryptionState): Readonly<Record<string, string>> {
  const data: Record<string, string> = {
    [configMember]: Buffer.from(writeEncryptionConfig(state)).toString("base64"),
  };
  for (const { id, kms } of readKeysOf(state)) if (kms) Object.assign(data, kmsConfigData(id, kms));
  return data;
}

/** Returns an EncryptionConfiguration (apiserver.config.k8s.io/v1). Equal states result in equal strings. */
export function writeEncryptionConfig(state: EncryptionState): string {
  const resources = [...state]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([resource, keys]) => ({ resources: [resource], providers: providersOf(resource, keys) }));
  return JSON.stringify({
    kind: "EncryptionConfiguration",
    apiVersion: "apiserver.config.k8s.io/v1",
    resources,
  });
}

function providersOf(resource: EncryptedResource, { writeKey, readKeys }: ResourceKeys): readonly Provider[] {
  const identity: Provider = { identity: {} };
  const others = readKeys.filter((each) => !writeKey || !isSameKey(each, writeKey));
  const all = writeKey ? [writeKey, ...others] : others;
  const real = all.flatMap((key): Provider[] => {
    if (key.mode === "identity") return [];
    if (key.kms) return [kmsProvider(key.kms, `${key.id}_${resource.split(".")[0]}`)];
    return [{ [key.mode]: { keys: [{ name: `${key.id}`, secret: key.secret }] } }];
  });
  // Provider entries for keys of the mode `identity`. An entry only stores the number of its key, as the name of an aesgcm key.
  // It is never the first provider, so it encrypts nothing.
  const carriers = all
    .filter(({ mode }) => mode === "identity")
    .map(({ id, secret }): Provider => ({ aesgcm: { keys: [{ name: `${id}`, secret }] } }));
  const writesAsIs = !writeKey || writeKey.mode === "identity";
  return writesAsIs ? [identity, ...real, ...carriers] : [...real, identity, ...carriers];
}

/**
 * Returns the keys of a configuration. The metadata of a key comes from its Secret in `backed`. For a key without a Secret, the
 * result contains only the data of the configuration.
 * @throws Error if the data has no configuration, or if a Secret and the configuration name different key management services
 */
export function readEncryptionData(data: EncryptionData, backed: readonly EncryptionKey[]): EncryptionState {
  const text = data[configMember];
  const config: unknown = JSON.parse(Buffer.from(typeof text === "string" ? text : "", "base64").toString());
  if (!isPlainObject(config) || config.kind !== "EncryptionConfiguration")
    throw new Error("it is no EncryptionConfiguration");
  const state = new Map<EncryptedResource, ResourceKeys>();
  for (const each of listAt(config, "resources")) {
    const [resource, second] = listAt(each, "resources");
    if (typeof resource !== "string" || second !== undefined) continue;
    state.set(resource, keysOf(listAt(each, "providers"), data, backed));
  }
  return state;
}

/** Returns the highest key number in a written configuration. 0 if no configuration is readable. */
export function newestKeyId(data: EncryptionData | undefined): number {
  try {
    return data ? (readKeysOf(readEncryptionData(data, []))[0]?.id ?? 0) : 0;
  } catch {
    // The next write replaces the unreadable configuration.
    return 0;
  }
}

function keysOf(
  providers: readonly unknown[],
  data: EncryptionData,
  backed: readonly EncryptionKey[],
): ResourceKeys {
  const keys = providers.map((provider) => {
    const read = kmsKeyOf(provider, data) ?? keyOf(provider);
    return read && backedKey(read, backed);
  });
  const found = keys.filter((key) => key !== undefined);
  const writesAsIs = isPlainObject(providers[0]) && providers[0].identity !== undefined;
  const writeKey = writesAsIs ? found.find(({ mode }) => mode === "identity") : keys[0];
  return { writeKey, readKeys: newestFirst(found) };
}

function kmsKeyOf(provider: unknown, data: EncryptionData): EncryptionKey | undefined {
  const id = kmsProviderId(provider);
  if (id === undefined) return undefined;
  return { id, secret: emptyKey, mode: "KMS", kms: readKmsConfigData(provider, id, data), ...unbacked };
}

function keyOf(provider: unknown): EncryptionKey | undefined {
  for (const mode of ["aescbc", "aesgcm"] satisfies EncryptionMode[]) {
    const [key, second] = listAt(provider, mode, "keys");
    const name = stringAt(key, "name") ?? "";
    const secret = stringAt(key, "secret");
    if (valueAt(provider, mode) === undefined || second !== undefined) continue;
    if (secret === undefined || !/^\d{1,15}$/.test(name)) continue;
    const isIdentity = mode === "aesgcm" && secret === emptyKey;
    return { id: Number(name), secret, mode: isIdentity ? "identity" : mode, ...unbacked };
  }
  return undefined;
}

function backedKey(read: EncryptionKey, backed: readonly EncryptionKey[]): EncryptionKey {
  const found = backed.find((each) => isSameKey(each, read));
  // The service in the configuration has encrypted the stored data. The service in the Secret could not decrypt this data.
  if (found && read.kms?.plugin && !isSameService(found.kms?.plugin, read.kms.plugin))
    throw new Error(
      `the Secret of key ${read.id} names a different key management service than the running configuration`,
    );
  return found ?? read;
}
