import { createCipheriv, createHmac } from "node:crypto";
import type { KubeObject } from "@keelson/apiserver";
import { listAt, objectAt, stringAt } from "@keelson/base";

/** Encodes the value of an etcd key as kube-apiserver stores it with an encryption provider. */
export type ValueTransformer = (key: Buffer, value: Buffer) => Buffer;

const plain: ValueTransformer = (_key, value) => value;
const ciphers = { aescbc: "cbc", aesgcm: "gcm" } as const;
const vectorBytes = { aescbc: 16, aesgcm: 12 } as const;

/**
 * Returns a function that encrypts values of a resource with the resource's write key. This is the first key in the first
 * provider of the resource's EncryptionConfiguration entry. If no entry exists, values are not encrypted.
 * @throws Error if the provider is not supported
 */
export function valueTransformer(secret: KubeObject | undefined, resource: string): ValueTransformer {
  const encoded = stringAt(secret, "data", "encryption-config");
  if (encoded === undefined) return plain;
  const config: unknown = JSON.parse(Buffer.from(encoded, "base64").toString());
  const entry = listAt(config, "resources").find((each) => listAt(each, "resources").includes(resource));
  const [provider] = listAt(entry, "providers");
  const [name = "identity"] = Object.keys(objectAt(provider));
  if (name === "identity") return plain;
  const [key] = listAt(provider, name, "keys");
  const [keyName, keyText] = [stringAt(key, "name"), stringAt(key, "secret")];
  if ((name !== "aescbc" && name !== "aesgcm") || keyName === undefined || keyText === undefined)
    throw new Error(`values that are encrypted with the provider ${JSON.stringify(name)} are not available`);
  return aes(name, keyName, Buffer.from(keyText, "base64"));
}

/** AES provider (k8s.io/apiserver pkg/storage/value/encrypt/aes). With GCM, the etcd key is the additional authenticated data. */
function aes(provider: keyof typeof ciphers, keyName: string, secret: Buffer): ValueTransformer {
  const algorithm = `aes-${8 * secret.length}-${ciphers[provider]}`;
  const prefix = Buffer.from(`k8s:enc:${provider}:v1:${keyName}:`);
  return (key, value) => {
    // The value is encrypted again at each read, because the simulated store is not encrypted. An initialization vector derived
    // from the value keeps the result stable.
    const vector = createHmac("sha256", secret)
      .update(key)
      .update(value)
      .digest()
      .subarray(0, vectorBytes[provider]);
    if (provider === "aescbc") {
      const cipher = createCipheriv(algorithm, secret, vector);
      return Buffer.concat([prefix, vector, cipher.update(value), cipher.final()]);
    }
    const cipher = createCipheriv(
      algorithm === "aes-256-gcm" ? "aes-256-gcm" : "aes-128-gcm",
      secret,
      vector,
    );
    cipher.setAAD(key);
    return Buffer.concat([prefix, vector, cipher.update(value), cipher.final(), cipher.getAuthTag()]);
  };
}
