import { createPublicKey } from "node:crypto";
import { stringAt, valueAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";
import { namespaces } from "../../config/namespaces.ts";

/** Secret with the next key pair that will sign tokens. */
export const nextKeyPair = { namespace: namespaces.operator, name: "next-bound-service-account-signing-key" };
/** ConfigMap with all public keys for verifying tokens. */
export const verifyingKeys = { namespace: namespaces.target, name: "bound-sa-token-signing-certs" };

export const privateKeyName = "service-account.key";
export const publicKeyName = "service-account.pub";

export interface SigningKeyPair {
  /** PEM. */
  readonly publicKey: string;
  readonly privateKey: string;
}

/** Returns the key pair in a Secret. `undefined` if the private or public key is missing, or if they do not match. */
export function signingKeyPair(secret: KubeObject | undefined): SigningKeyPair | undefined {
  const [privateKey, publicKey] = [privateKeyName, publicKeyName].map((name) => {
    const encoded = stringAt(secret, "data", name);
    return encoded === undefined ? "" : Buffer.from(encoded, "base64").toString();
  });
  if (!privateKey || !publicKey) return undefined;
  try {
    const derived = createPublicKey(privateKey).export({ type: "spki", format: "der" });
    return derived.equals(createPublicKey(publicKey).export({ type: "spki", format: "der" }))
      ? { publicKey, privateKey }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a map from the name of each public key in a ConfigMap to the key. */
export function publicKeys(configMap: KubeObject | undefined): ReadonlyMap<string, string> {
  const data = valueAt(configMap, "data") ?? {};
  return new Map(
    Object.entries(data).filter((each): each is [string, string] => typeof each[1] === "string"),
  );
}

/**
 * Adds the public key to the existing public keys. Keys are never removed, because clients may still use tokens that the matching
 * private keys signed.
 */
export function withPublicKey(
  present: ReadonlyMap<string, string>,
  key: string,
): ReadonlyMap<string, string> {
  if (hasPublicKey(present, key)) return present;
  for (let number = 1; ; number++) {
    const name = `service-account-${String(number).padStart(3, "0")}.pub`;
    if (!present.has(name)) return new Map([...present, [name, key]]);
  }
}

export function hasPublicKey(present: ReadonlyMap<string, string>, key: string): boolean {
  return [...present.values()].some((each) => each.trim() === key.trim());
}
