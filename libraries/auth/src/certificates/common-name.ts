import type { X509Certificate } from "node:crypto";

/** The CN of a certificate's subject; `undefined` where it has none, or several. */
export function commonNameOf(certificate: X509Certificate): string | undefined {
  const { CN } = certificate.toLegacyObject().subject;
  return typeof CN === "string" ? CN : undefined;
}
