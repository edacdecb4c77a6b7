import type { X509Certificate } from "node:crypto";
import { readCertificates } from "./certificate-chain.ts";

/**
 * Returns the bundle with `signer` added. Duplicates, expired certificates and unreadable blocks are removed. Certificates are
 * sorted by their DER bytes, so that concurrent writers produce equal bundles. The signer must be in the bundle before it signs
 * certificates.
 */
export function bundleWith(signer: X509Certificate, bundlePem: string, now: Date): string {
  const certificates = new Map<string, X509Certificate>();
  for (const each of [signer, ...readCertificates(bundlePem)])
    if (each.validToDate >= now) certificates.set(each.fingerprint256, each);
  return [...certificates.values()]
    .toSorted((a, b) => Buffer.compare(a.raw, b.raw))
    .map((each) => each.toString())
    .join("");
}
