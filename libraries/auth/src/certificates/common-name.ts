import type { X509Certificate } from "node:crypto";

/** Returns the CN of a certificate's subject. Returns undefined if the subject has no CN or several. */
export function commonNameOf(certificate: X509Certificate): string | undefined {
  const { CN } = certificate.toLegacyObject().subject;
  return typeof CN === "string" ? CN : undefined;
}
