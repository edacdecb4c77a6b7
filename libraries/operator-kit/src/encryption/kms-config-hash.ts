import type { JsonObject } from "@keelson/base";
import type { ReferenceData } from "./kms-key.ts";
import {
  caReference,
  type PluginReference,
  parseKmsPlugin,
  roleReference,
  type VaultPlugin,
} from "./kms-plugin.ts";

/**
 * Hashes a plugin's configuration and its references like `encryptionStatus`: 32-bit FNV-1 in base64url. The
 * input is the JSON of the original's types, then the names and values of the references.
 */
export function kmsConfigHash(plugin: JsonObject, { secrets, configMaps }: ReferenceData): string {
  const vault = parseKmsPlugin(plugin);
  const hash = new Fnv1();
  hash.add(Buffer.from(`${vaultJson(vault)}\n`));
  const add = ({ name, keys }: PluginReference, data: Readonly<Record<string, string>>) => {
    for (const key of keys.toSorted()) {
      hash.add(Buffer.from(key));
      hash.add(Buffer.from(data[`${name}_${key}`] ?? "", "base64"));
    }
  };
  add(roleReference(vault), secrets);
  const authorities = caReference(vault);
  if (authorities) add(authorities, configMaps);
  return hash.text;
}

/** Fields in the order of the original's type, without empty ones, escaped like Go's JSON. */
function vaultJson(vault: VaultPlugin): string {
  const tls = present({
    caBundle: vault.caConfigMap === "" ? undefined : { name: vault.caConfigMap },
    serverName: vault.serverName,
  });
  const members = present({
    kmsPluginImage: vault.image,
    vaultAddress: vault.address,
    vaultNamespace: vault.namespace,
    vaultAuthNamespace: vault.authNamespace,
    tls: Object.keys(tls).length === 0 ? undefined : tls,
    authentication: {
      type: "AppRole",
      ...(vault.roleSecret === "" ? {} : { appRole: { secret: { name: vault.roleSecret } } }),
    },
    vaultKeyPath: vault.keyPath,
  });
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(members).replace(/[<>&\u2028\u2029]/g, escaped);
}

function present(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined && value !== ""),
  );
}

class Fnv1 {
  #value = 0x811c9dc5;

  add(bytes: Uint8Array): void {
    for (const byte of bytes) this.#value = (Math.imul(this.#value, 0x01000193) ^ byte) >>> 0;
  }

  get text(): string {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(this.#value);
    // Base64url with padding, which Node's `base64url` omits.
    return bytes.toString("base64").replaceAll("+", "-").replaceAll("/", "_");
  }
}
