import { createPrivateKey } from "node:crypto";

/** Returns a private key as PKCS#8: installers write PKCS#1. */
export function privateKeyPem(pem: string): string {
  return createPrivateKey(pem).export({ type: "pkcs8", format: "pem" }).toString();
}
