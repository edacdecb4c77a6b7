import { createDecipheriv, createHmac, timingSafeEqual } from "node:crypto";
import type { Secret } from "@keelson/base";
import { installerErrors } from "../install/errors.ts";

const halfBytes = 32;
const initialisationBytes = 16;
const tagBytes = 32;

/**
 * Decrypts a graph that ARO's installer has encrypted. The algorithm is AEAD_AES_256_CBC_HMAC_SHA_512 without associated data
 * (draft-mcgrew-aead-aes-cbc-hmac-sha2-02). The key has 64 bytes in base64. The first half is the encryption key, and the second
 * half is the authentication key.
 * @throws InvalidAssetGraph for a wrong key or modified data
 */
export function openGraph(sealed: Buffer, key: Secret): string {
  const bytes = Buffer.from(key.reveal(), "base64");
  if (bytes.length !== 2 * halfBytes)
    throw installerErrors.InvalidAssetGraph(
      `the key of graphs is not ${2 * halfBytes} bytes in base64: see installer.graphKeyFile`,
    );
  const [encrypting, authenticating] = [bytes.subarray(0, halfBytes), bytes.subarray(halfBytes)];
  const end = sealed.length - tagBytes;
  if (end < 2 * initialisationBytes || !isAuthentic(sealed, end, authenticating))
    throw installerErrors.InvalidAssetGraph(
      "the graph of the installer is not sealed with this key: see installer.graphKeyFile",
    );
  const vector = sealed.subarray(0, initialisationBytes);
  const decipher = createDecipheriv("aes-256-cbc", encrypting, vector);
  const text = Buffer.concat([decipher.update(sealed.subarray(initialisationBytes, end)), decipher.final()]);
  return text.toString("utf8");
}

function isAuthentic(sealed: Buffer, end: number, key: Buffer): boolean {
  const lengthOfNothing = Buffer.alloc(8);
  const tag = createHmac("sha512", key).update(sealed.subarray(0, end)).update(lengthOfNothing).digest();
  return timingSafeEqual(tag.subarray(0, tagBytes), sealed.subarray(end));
}
