import { generateKeyPairSync } from "node:crypto";
import { Secret } from "@keelson/base";

/** Generates a key in the format of cluster machines: RSA 2048 in PKCS#1 PEM. */
export function machineKey(): Secret {
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });
  return new Secret(privateKey);
}
