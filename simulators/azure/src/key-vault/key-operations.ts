import { constants, createPrivateKey, createPublicKey, privateDecrypt, publicEncrypt } from "node:crypto";
import type { JsonObject } from "@keelson/base";
import { nonEmptyStringAt } from "../base/json.ts";
import { badParameter } from "./vault-error.ts";

const paddings: Readonly<Record<string, { readonly padding: number; readonly oaepHash?: string }>> = {
  RSA1_5: { padding: constants.RSA_PKCS1_PADDING },
  "RSA-OAEP": { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha1" },
  "RSA-OAEP-256": { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha256" },
};

const forward = ["encrypt", "wrapkey"];
const backward = ["decrypt", "unwrapkey"];

/** True if the last path segment is a cryptographic operation. */
export function isCryptographic(operation: string): boolean {
  return [...forward, ...backward].includes(operation.toLowerCase());
}

/**
 * Performs a cryptographic operation: encrypts, decrypts, wraps or unwraps. Wrapping a key is identical to encrypting its bytes.
 * @throws VaultError
 */
export function cryptographicOperation(
  operation: string,
  privateKeyPem: string,
  body: JsonObject,
): JsonObject {
  const algorithm = nonEmptyStringAt(body, "alg") ?? "";
  const how = paddings[algorithm];
  const key = createPrivateKey(privateKeyPem);
  if (!how || key.asymmetricKeyType !== "rsa") {
    throw badParameter(`Property alg has the value '${algorithm}', which this key does not have.`);
  }
  const bytes = Buffer.from(nonEmptyStringAt(body, "value") ?? "", "base64url");
  try {
    const result = forward.includes(operation.toLowerCase())
      ? publicEncrypt({ key: createPublicKey(key), ...how }, bytes)
      : privateDecrypt({ key, ...how }, bytes);
    return { value: result.toString("base64url") };
  } catch {
    throw badParameter(`The value cannot be used with ${algorithm} and this key.`);
  }
}
