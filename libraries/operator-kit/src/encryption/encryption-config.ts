import { isPlainObject } from "@keelson/base";
import { listAt, textAt, valueAt } from "@keelson/kube";
import {
  type EncryptedResource,
  type EncryptionKey,
  type EncryptionMode,
  emptyKey,
  isSameKey,
  newestFirst,
} from "./encryption-key.ts";

/** The keys of a resource. */
export interface ResourceKeys {
  /** Objects are written with it; as they are when absent. */
  readonly writeKey: EncryptionKey | undefined;
  /** Newest first; the write key is one of them. */
  readonly readKeys: readonly EncryptionKey[];
}

export type EncryptionState = ReadonlyMap<EncryptedResource, ResourceKeys>;

type Provider = Readonly<Record<string, unknown>>;

/** An EncryptionConfiguration of apiserver.config.k8s.io/v1: equal states give equal texts. */
export function writeEncryptionConfig(state: EncryptionState): string {
  const resources = [...state]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([resource, keys]) => ({ resources: [resource], providers: providersOf(keys) }));
  return JSON.stringify({
    kind: "EncryptionConfiguration",
    apiVersion: "apiserver.config.k8s.io/v1",
    resources,
  });
}

function providersOf({ writeKey, readKeys }: ResourceKeys): readonly Provider[] {
  const identity: Provider = { identity: {} };
  const others = readKeys.filter((each) => !writeKey || !isSameKey(each, writeKey));
  const all = writeKey ? [writeKey, ...others] : others;
  const real = all.flatMap((key): Provider[] =>
    key.mode === "identity" ? [] : [{ [key.mode]: { keys: [{ name: `${key.id}`, secret: key.secret }] } }],
  );
  // No key: it carries the number of the identity key through the cluster.
  const carriers = all
    .filter(({ mode }) => mode === "identity")
    .map(({ id, secret }): Provider => ({ aesgcm: { keys: [{ name: `${id}`, secret }] } }));
  const writesAsIs = !writeKey || writeKey.mode === "identity";
  return writesAsIs ? [identity, ...real, ...carriers] : [...real, identity, ...carriers];
}

/**
 * The keys of a configuration. What Secrets say of a key is taken from them. @throws Error when the text is none
 */
export function readEncryptionConfig(text: string, backed: readonly EncryptionKey[]): EncryptionState {
  const config: unknown = JSON.parse(text);
  if (!isPlainObject(config) || config.kind !== "EncryptionConfiguration")
    throw new Error("it is no EncryptionConfiguration");
  const state = new Map<EncryptedResource, ResourceKeys>();
  for (const each of listAt(config, "resources")) {
    const [resource, second] = listAt(each, "resources");
    if (typeof resource !== "string" || second !== undefined) continue;
    state.set(resource, keysOf(listAt(each, "providers"), backed));
  }
  return state;
}

function keysOf(providers: readonly unknown[], backed: readonly EncryptionKey[]): ResourceKeys {
  const keys = providers.map((provider) => keyOf(provider, backed));
  const found = keys.filter((key) => key !== undefined);
  const writesAsIs = isPlainObject(providers[0]) && providers[0].identity !== undefined;
  const writeKey = writesAsIs ? found.find(({ mode }) => mode === "identity") : keys[0];
  return { writeKey, readKeys: newestFirst(found) };
}

function keyOf(provider: unknown, backed: readonly EncryptionKey[]): EncryptionKey | undefined {
  for (const mode of ["aescbc", "aesgcm"] satisfies EncryptionMode[]) {
    const [key, second] = listAt(provider, mode, "keys");
    const name = textAt(key, "name") ?? "";
    const secret = textAt(key, "secret");
    if (valueAt(provider, mode) === undefined || second !== undefined) continue;
    if (secret === undefined || !/^\d{1,15}$/.test(name)) continue;
    const read: EncryptionKey = {
      id: Number(name),
      secret,
      mode: mode === "aesgcm" && secret === emptyKey ? "identity" : mode,
      isBacked: false,
      internalReason: "",
      externalReason: "",
      migrated: { at: undefined, resources: [] },
    };
    return backed.find((each) => isSameKey(each, read)) ?? read;
  }
  return undefined;
}
