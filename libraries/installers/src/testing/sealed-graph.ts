import { createCipheriv, createHmac, randomBytes } from "node:crypto";
import { Secret } from "@keelson/base";

/** Key for tests, which consists of the bytes 00 to 3f. */
export const graphKey = new Secret(
  Buffer.from(Array.from({ length: 64 }, (_, index) => index)).toString("base64"),
);

export const graphText = '{"*tls.RootCA":{}}';

/**
 * Graph that openssl and Python's hmac have encrypted with `graphKey`. The initialization vector (1a f3 .. bc 04) comes from
 * section 5.4 of draft-mcgrew-aead-aes-cbc-hmac-sha2-02.
 */
export const sealedGraph = Buffer.from(
  "1af38c2dc2b96ffdd86694092341bc04fe1a18683400a370a6ec041fecb73056a2184b04c5d3233da8813d3aac65b7d7247699a33a1422bf830148fd209cebe664876603c3730f2df957536bbde424ad",
  "hex",
);

/** Encrypts a graph like ARO's installer. */
export function sealGraph(text: string, key: Secret): Buffer {
  const bytes = Buffer.from(key.reveal(), "base64");
  const vector = randomBytes(16);
  const cipher = createCipheriv("aes-256-cbc", bytes.subarray(0, 32), vector);
  const sealed = Buffer.concat([vector, cipher.update(text, "utf8"), cipher.final()]);
  const lengthOfNothing = Buffer.alloc(8);
  const tag = createHmac("sha512", bytes.subarray(32)).update(sealed).update(lengthOfNothing).digest();
  return Buffer.concat([sealed, tag.subarray(0, 32)]);
}
