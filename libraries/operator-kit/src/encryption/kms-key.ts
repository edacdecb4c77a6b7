import { isPlainObject, type JsonObject, listAt, stringAt, valueAt } from "@keelson/base";
import { readKmsPlugin, writeKmsPlugin } from "./kms-plugin.ts";

/** Base64 data of the referenced objects. Each map key has the form `NAME_KEY`. Object names cannot contain an underscore. */
export interface ReferenceData {
  readonly secrets: Readonly<Record<string, string>>;
  readonly configMaps: Readonly<Record<string, string>>;
}

/** Configuration of a key in a key management service. The key material never leaves the service. */
export interface KmsKey extends ReferenceData {
  /** KMS provider entry of an EncryptionConfiguration, without its name. */
  readonly provider: JsonObject;
  /** `spec.encryption.kms` at the time of the key's creation. Undefined if only an EncryptionConfiguration remains. */
  readonly plugin?: JsonObject;
}

const prefix = "encryption.apiserver.operator.openshift.io";
const keyMembers = {
  provider: `${prefix}-kms-encryption-config`,
  plugin: `${prefix}-kms-plugin-config`,
  secret: `${prefix}-kms-plugin-secret-`,
  configMap: `${prefix}-kms-plugin-configmap-`,
} as const;
const configMembers = {
  plugin: "kms-plugin-config-",
  secret: "kms-plugin-secret-",
  configMap: "kms-plugin-configmap-",
} as const;

type Data = Readonly<Record<string, unknown>>;

/** Returns the socket URL of the plugin for a key. */
export function kmsEndpoint(id: number): string {
  return `unix:///var/run/kmsplugin/kms-${id}.sock`;
}

export function newKmsKey(id: number, plugin: JsonObject, references: ReferenceData): KmsKey {
  return { provider: { apiVersion: "v2", endpoint: kmsEndpoint(id), timeout: "10s" }, plugin, ...references };
}

/** Returns the KMS-specific data of a key's Secret. */
export function kmsKeyData(id: number, kms: KmsKey): Readonly<Record<string, string>> {
  const configuration = {
    kind: "EncryptionConfiguration",
    apiVersion: "apiserver.config.k8s.io/v1",
    resources: [{ resources: null, providers: [kmsProvider(kms, `${id}`)] }],
  };
  return {
    [keyMembers.provider]: base64(JSON.stringify(configuration)),
    ...(kms.plugin ? { [keyMembers.plugin]: base64(writeKmsPlugin(kms.plugin)) } : {}),
    ...prefixed(kms.secrets, (name) => `${keyMembers.secret}${name}`),
    ...prefixed(kms.configMaps, (name) => `${keyMembers.configMap}${name}`),
  };
}

/**
 * Reads a KMS key from its Secret data.
 * @throws Error if the provider or plugin configuration is missing
 */
export function readKmsKeyData(data: Data): KmsKey {
  const configuration: unknown = JSON.parse(decoded(data[keyMembers.provider]));
  const [resource] = listAt(configuration, "resources");
  const [found] = listAt(resource, "providers");
  return {
    provider: providerOf(found),
    plugin: readKmsPlugin(decoded(data[keyMembers.plugin])),
    secrets: membersOf(data, (name) => withoutPrefix(name, keyMembers.secret)),
    configMaps: membersOf(data, (name) => withoutPrefix(name, keyMembers.configMap)),
  };
}

/** Returns the provider entry of the key with the given name. The name must be unique in the configuration. */
export function kmsProvider({ provider }: KmsKey, name: string): JsonObject {
  const { apiVersion = "v2", ...others } = provider;
  return { kms: { apiVersion, name, ...others } };
}

/** Returns the KMS files of a key for the Secret that API servers mount. The EncryptionConfiguration is not included. */
export function kmsConfigData(id: number, { plugin, secrets, configMaps }: KmsKey) {
  return {
    ...(plugin ? { [`${configMembers.plugin}${id}`]: base64(writeKmsPlugin(plugin)) } : {}),
    ...prefixed(secrets, (name) => `${configMembers.secret}${name}-${id}`),
    ...prefixed(configMaps, (name) => `${configMembers.configMap}${name}-${id}`),
  };
}

/** Reads a key from the provider of an EncryptionConfiguration and from its files in the same Secret. */
export function readKmsConfigData(provider: unknown, id: number, data: Data): KmsKey {
  const plugin = data[`${configMembers.plugin}${id}`];
  const own = (start: string) => (name: string) =>
    name.endsWith(`-${id}`) ? withoutPrefix(name.slice(0, -`-${id}`.length), start) : undefined;
  return {
    provider: providerOf(provider),
    ...(plugin === undefined ? {} : { plugin: readKmsPlugin(decoded(plugin)) }),
    secrets: membersOf(data, own(configMembers.secret)),
    configMaps: membersOf(data, own(configMembers.configMap)),
  };
}

/** Returns the file name of a reference in the mounted Secret. */
export function referenceFile(kind: "secret" | "configMap", name: string, key: string, id: number): string {
  return `${configMembers[kind]}${name}_${key}-${id}`;
}

/** Returns the key number in a provider name, for example `3` for `3_secrets`. */
export function kmsProviderId(provider: unknown): number | undefined {
  const [, digits] = /^(\d{1,15})_/.exec(stringAt(provider, "kms", "name") ?? "") ?? [];
  return digits === undefined ? undefined : Number(digits);
}

function providerOf(found: unknown): JsonObject {
  const provider = valueAt(found, "kms");
  if (!isPlainObject(provider) || typeof provider.endpoint !== "string")
    throw new Error("it has no provider of a key management service");
  const { name: _, ...others } = provider;
  return others as JsonObject;
}

function membersOf(
  data: Data,
  nameOf: (member: string) => string | undefined,
): Readonly<Record<string, string>> {
  const found = Object.entries(data).flatMap(([member, value]): readonly [string, string][] => {
    const name = nameOf(member);
    return name?.includes("_") && typeof value === "string" ? [[name, value]] : [];
  });
  return Object.fromEntries(found);
}

function withoutPrefix(text: string, start: string): string | undefined {
  return text.startsWith(start) ? text.slice(start.length) : undefined;
}

function prefixed(values: Readonly<Record<string, string>>, nameOf: (name: string) => string) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [nameOf(name), value]));
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}

function decoded(value: unknown): string {
  return typeof value === "string" ? Buffer.from(value, "base64").toString() : "";
}
