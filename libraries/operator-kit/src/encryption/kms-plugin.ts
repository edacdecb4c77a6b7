import { isPlainObject, type JsonObject, stringAt, valueAt } from "@keelson/base";

/** What `spec.encryption.kms` of APIServer `cluster` says of a plugin for HashiCorp Vault; "" is what it leaves out. */
export interface VaultPlugin {
  readonly image: string;
  readonly address: string;
  readonly namespace: string;
  readonly authNamespace: string;
  readonly serverName: string;
  readonly keyPath: string;
  /** A Secret of openshift-config with `role-id` and `secret-id`. */
  readonly roleSecret: string;
  /** A ConfigMap of openshift-config with `ca-bundle.crt`. */
  readonly caConfigMap: string;
}

/** What a plugin takes from one object of openshift-config. */
export interface PluginReference {
  readonly name: string;
  readonly keys: readonly string[];
}

/** @throws Error for a plugin that is not known */
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

/** Whether both encrypt with the same key of the same service: data of one can be read by the other. */
export function isSameService(a: JsonObject | undefined, b: JsonObject | undefined): boolean {
  const members = ["vaultAddress", "vaultNamespace", "vaultKeyPath"];
  return (
    stringAt(a, "type") === stringAt(b, "type") &&
    members.every((each) => (stringAt(a, "vault", each) ?? "") === (stringAt(b, "vault", each) ?? ""))
  );
}

/** A plugin as Secrets keep it: within an APIServer, since it is no object of its own. */
export function writeKmsPlugin(plugin: JsonObject): string {
  return JSON.stringify({
    kind: "APIServer",
    apiVersion: "config.openshift.io/v1",
    metadata: {},
    spec: { encryption: { kms: plugin } },
    status: {},
  });
}

/** @throws Error for a text that holds none */
export function readKmsPlugin(text: string): JsonObject {
  const object: unknown = JSON.parse(text);
  const plugin = valueAt(object, "spec", "encryption", "kms");
  if (stringAt(object, "kind") !== "APIServer" || !isPlainObject(plugin))
    throw new Error("it holds no plugin of a key management service");
  return plugin as JsonObject;
}
