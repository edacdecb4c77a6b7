import type { X509Certificate } from "node:crypto";
import { readCertificates } from "./certificate-chain.ts";

/**
 * The bundle with `signer` in it: without duplicates, what expired and what cannot be read, in the order of the bytes,
 * so that two writers that rotate write the same. What verifies with it knows a new signer before anything that it signed.
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
