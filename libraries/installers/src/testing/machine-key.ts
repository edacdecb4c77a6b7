import { generateKeyPairSync } from "node:crypto";
import { Secret } from "@keelson/base";

/** Generates a key in the format of cluster machines, an RSA key of 2,048 bits in PKCS#1 PEM. */
export function machineKey(): Secret {
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });
  return new Secret(privateKey);
}
