import type { X509Certificate } from "node:crypto";

/** Returns the common name (CN) of a certificate's subject. Returns undefined if the subject does not have exactly one CN. */
export function commonNameOf(certificate: X509Certificate): string | undefined {
  const { CN } = certificate.toLegacyObject().subject;
  return typeof CN === "string" ? CN : undefined;
}
