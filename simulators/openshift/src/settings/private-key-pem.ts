import { createPrivateKey } from "node:crypto";

/** Converts a private key to PKCS#8. Installers write PKCS#1. */
export function privateKeyPem(pem: string): string {
  return createPrivateKey(pem).export({ type: "pkcs8", format: "pem" }).toString();
}
