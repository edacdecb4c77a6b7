import type { X509Certificate } from "node:crypto";

/** Returns the CN of a certificate's subject. Undefined for none or several. */
export function commonNameOf(certificate: X509Certificate): string | undefined {
  const { CN } = certificate.toLegacyObject().subject;
  return typeof CN === "string" ? CN : undefined;
}
