import { isPlainObject, type JsonObject, stringAt, valueAt } from "@keelson/base";

/** HashiCorp Vault plugin in `spec.encryption.kms` of APIServer `cluster`. Missing fields are "". */
export interface VaultPlugin {
  readonly image: string;
  readonly address: string;
  readonly namespace: string;
  readonly authNamespace: string;
  readonly serverName: string;
  readonly keyPath: string;
  /** Name of a Secret in openshift-config with the keys `role-id` and `secret-id`. */
  readonly roleSecret: string;
  /** Name of a ConfigMap in openshift-config with the key `ca-bundle.crt`. */
  readonly caConfigMap: string;
}

/** Object in openshift-config and the keys that a plugin reads from it. */
export interface PluginReference {
  readonly name: string;
  readonly keys: readonly string[];
}

/**
 * Parses a plugin's configuration.
 * @throws Error for an unsupported plugin
 */
export function parseKmsPlugin(plugin: JsonObject | undefined): VaultPlugin {
  const type = stringAt(plugin, "type") ?? "";
  if (type !== "Vault") throw new Error(`unsupported KMS provider type ${JSON.stringify(type)}`);
  const authentication = stringAt(plugin, "vault", "authentication", "type") ?? "";
  if (authentication !== "AppRole")
    throw new Error(`unsupported Vault authentication type ${JSON.stringify(authentication)}`);
  const at = (...path: readonly string[]) => stringAt(plugin, "vault", ...path) ?? "";
  return {
    image: at("kmsPluginImage"),
    address: at("vaultAddress"),
    namespace: at("vaultNamespace"),
    authNamespace: at("vaultAuthNamespace"),
    serverName: at("tls", "serverName"),
    keyPath: at("vaultKeyPath"),
    roleSecret: at("authentication", "appRole", "secret", "name"),
    caConfigMap: at("tls", "caBundle", "name"),
  };
}

export function roleReference({ roleSecret }: VaultPlugin): PluginReference {
  return { name: roleSecret, keys: ["role-id", "secret-id"] };
}

export function caReference({ caConfigMap }: VaultPlugin): PluginReference | undefined {
  return caConfigMap === "" ? undefined : { name: caConfigMap, keys: ["ca-bundle.crt"] };
}

/**
 * True if both plugins use the same key of the same service. Each plugin can then decrypt the data that the other plugin
 * encrypted.
 */
export function isSameService(a: JsonObject | undefined, b: JsonObject | undefined): boolean {
  const members = ["vaultAddress", "vaultNamespace", "vaultKeyPath"];
  return (
    stringAt(a, "type") === stringAt(b, "type") &&
    members.every((each) => (stringAt(a, "vault", each) ?? "") === (stringAt(b, "vault", each) ?? ""))
  );
}

/**
 * Serializes a plugin for a Secret. The plugin is wrapped in an APIServer object, because a plugin by itself is not a Kubernetes
 * object.
 */
export function writeKmsPlugin(plugin: JsonObject): string {
  return JSON.stringify({
    kind: "APIServer",
    apiVersion: "config.openshift.io/v1",
    metadata: {},
    spec: { encryption: { kms: plugin } },
    status: {},
  });
}

/**
 * Parses the result of `writeKmsPlugin`.
 * @throws Error if the string contains no plugin
 */
export function readKmsPlugin(text: string): JsonObject {
  const object: unknown = JSON.parse(text);
  const plugin = valueAt(object, "spec", "encryption", "kms");
  if (stringAt(object, "kind") !== "APIServer" || !isPlainObject(plugin))
    throw new Error("the APIServer has no plugin of a key management service");
  return plugin as JsonObject;
}
