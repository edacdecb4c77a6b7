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

/** The keys of a resource. */
export interface ResourceKeys {
  /** Objects are written with it; as they are when absent. */
  readonly writeKey: EncryptionKey | undefined;
  /** Newest first; the write key is one of them. */
  readonly readKeys: readonly EncryptionKey[];
}

export type EncryptionState = ReadonlyMap<EncryptedResource, ResourceKeys>;

/** The keys that are read with, each once, newest first. */
export function readKeysOf(state: EncryptionState): readonly EncryptionKey[] {
  const keys = [...state.values()].flatMap(({ readKeys }) => readKeys);
  return newestFirst([...new Map(keys.map((key) => [key.id, key])).values()]);
}

type Provider = Readonly<Record<string, unknown>>;

/** Of the Secret that API servers run with, base64. */
export type EncryptionData = Readonly<Record<string, unknown>>;

export const configMember = "encryption-config";

/** The EncryptionConfiguration, and what plugins of key management services need. */
export function writeEncryptionData(state: EncryptionState): Readonly<Record<string, string>> {
  const data: Record<string, string> = {
    [configMember]: Buffer.from(writeEncryptionConfig(state)).toString("base64"),
  };
  for (const { id, kms } of readKeysOf(state)) if (kms) Object.assign(data, kmsConfigData(id, kms));
  return data;
}

/** An EncryptionConfiguration of apiserver.config.k8s.io/v1: equal states give equal texts. */
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
  // No key: it carries the number of the identity key through the cluster.
  const carriers = all
    .filter(({ mode }) => mode === "identity")
    .map(({ id, secret }): Provider => ({ aesgcm: { keys: [{ name: `${id}`, secret }] } }));
  const writesAsIs = !writeKey || writeKey.mode === "identity";
  return writesAsIs ? [identity, ...real, ...carriers] : [...real, identity, ...carriers];
}

/**
 * The keys of a configuration. What Secrets say of a key is taken from them; what has lost its Secret is kept as it runs.
 * @throws Error when the data holds none, or a Secret names another key management service than what runs
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

/** The highest number of a key in a written configuration; 0 without one, or where the configuration cannot be read. */
export function newestKeyId(data: EncryptionData | undefined): number {
  try {
    return data ? (readKeysOf(readEncryptionData(data, []))[0]?.id ?? 0) : 0;
  } catch {
    // The next write replaces it.
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
  // Data is under the key that runs: under another service's nothing could be read.
  if (found && read.kms?.plugin && !isSameService(found.kms?.plugin, read.kms.plugin))
    throw new Error(`the Secret of key ${read.id} names another key management service than what runs`);
  return found ?? read;
}
