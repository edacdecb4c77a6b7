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
 * Returns the hash of a plugin's configuration and references, as used in `encryptionStatus`. The hash is 32-bit FNV-1 in
 * base64url. Its input is the JSON of library-go's types, followed by the names and values of the references.
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

/** Returns the JSON string that Go produces. The fields have the order of library-go's type, and empty fields are omitted. */
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
    // Node's `base64url` omits the padding, which Go includes.
    return bytes.toString("base64").replaceAll("+", "-").replaceAll("/", "_");
  }
}
