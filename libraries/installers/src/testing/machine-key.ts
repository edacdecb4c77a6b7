import { generateKeyPairSync } from "node:crypto";
import { Secret } from "@keelson/base";

/** A key as clusters' machines have it: RSA 2048, PKCS#1 in PEM. */
export function machineKey(): Secret {
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });
  return new Secret(privateKey);
}
