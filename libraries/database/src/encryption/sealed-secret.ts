import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  type KeyObject,
  randomFillSync,
} from "node:crypto";
import { isPlainObject } from "@keelson/base";
import { errors } from "../documents/errors.ts";
import { type Keyring, keyBytes } from "./keyring.ts";

/** Location of a secret: document and field. A secret can be decrypted only at its own location. */
export interface SecretPlace {
  readonly collection: string;
  readonly partitionKey: string;
  readonly id: string;
  /** Path without placeholders, for example `properties.registryProfiles[2].password`. */
  readonly path: string;
}

/**
 * Encrypted secret in its stored form. The algorithm is AES-256-GCM. `data` contains IV, ciphertext and authentication tag in
 * base64.
 */
export interface SealedSecret {
  readonly sealed: "v1";
  readonly keyId: string;
  readonly data: string;
}

const algorithm = "aes-256-gcm";
const ivBytes = 12;
const tagBytes = 16;

export function isSealedSecret(value: unknown): value is SealedSecret {
  return (
    isPlainObject(value) &&
    value.sealed === "v1" &&
    typeof value.keyId === "string" &&
    typeof value.data === "string"
  );
}

/** @throws EncryptionKeyMissing */
export function seal(plain: string, place: SecretPlace, keyring: Keyring): SealedSecret {
  const keyId = keyring.currentKeyId();
  const iv = nextIv();
  const cipher = createCipheriv(algorithm, keyOf(keyring, keyId, place), iv);
  cipher.setAAD(associatedData(place));
  // The string is encrypted as JSON, which preserves unpaired surrogates. UTF-8 alone would replace them.
  const data = [iv, cipher.update(JSON.stringify(plain), "utf8"), cipher.final(), cipher.getAuthTag()];
  return { sealed: "v1", keyId, data: Buffer.concat(data).toString("base64") };
}

const ivPool = Buffer.alloc(ivBytes * 256);
let ivPoolUsed = ivPool.length;

/** Returns a random initialization vector. Random bytes are generated for many vectors at once. */
function nextIv(): Buffer {
  if (ivPoolUsed === ivPool.length) {
    randomFillSync(ivPool);
    ivPoolUsed = 0;
  }
  const iv = Buffer.from(ivPool.subarray(ivPoolUsed, ivPoolUsed + ivBytes));
  ivPoolUsed += ivBytes;
  return iv;
}

/** Decrypts a secret. @throws EncryptionKeyMissing, SecretTampered */
export function open(secret: SealedSecret, place: SecretPlace, keyring: Keyring): string {
  const bytes = Buffer.from(secret.data, "base64");
  const decipher = createDecipheriv(
    algorithm,
    keyOf(keyring, secret.keyId, place),
    Buffer.concat([bytes.subarray(0, ivBytes)], ivBytes),
    { authTagLength: tagBytes },
  );
  decipher.setAAD(associatedData(place));
  try {
    decipher.setAuthTag(bytes.subarray(-tagBytes));
    const plain = [decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()];
    return JSON.parse(Buffer.concat(plain).toString("utf8"));
  } catch (cause) {
    throw errors.SecretTampered(
      `The secret at ${place.path} of document ${place.id} in ${place.collection} does not belong there: ` +
        "it was altered or moved. Restore the document, or write the secret again.",
      { cause },
    );
  }
}

/** Cache of prepared keys. Preparing a key takes longer than using it. */
const keyObjects = new WeakMap<Uint8Array, KeyObject>();

function keyOf(keyring: Keyring, keyId: string, place: SecretPlace): KeyObject {
  const key = keyring.key(keyId);
  if (key?.byteLength === keyBytes) {
    const known = keyObjects.get(key) ?? createSecretKey(key);
    keyObjects.set(key, known);
    return known;
  }
  throw errors.EncryptionKeyMissing(
    `Key ${keyId} is needed for ${place.path} of document ${place.id} in ${place.collection}, ` +
      "but the keyring does not have it: add it.",
  );
}

function associatedData(place: SecretPlace): Buffer {
  return Buffer.from(JSON.stringify([place.collection, place.partitionKey, place.id, place.path]));
}
