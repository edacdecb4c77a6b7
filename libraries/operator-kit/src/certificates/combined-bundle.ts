import { X509Certificate } from "node:crypto";

export interface BundleSource {
  /** Name in error messages: `configmap/name`. */
  readonly name: string;
  readonly pem: string;
}

/**
 * Concatenates bundles in order. Expired certificates and duplicates are removed.
 * @throws Error naming the source that cannot be parsed
 */
export function combinedBundle(sources: readonly BundleSource[], now: Date): string {
  const found = new Map<string, string>();
  for (const { name, pem } of sources)
    for (const block of certificateBlocks(pem)) {
      const certificate = readBlock(name, block);
      if (certificate.validToDate >= now) found.set(certificate.fingerprint256, certificate.toString());
    }
  return [...found.values()].join("");
}

function certificateBlocks(pem: string): readonly string[] {
  return pem.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? [];
}

function readBlock(name: string, block: string): X509Certificate {
  try {
    return new X509Certificate(block);
  } catch (cause) {
    throw new Error(`${name}: ca-bundle.crt has a certificate that cannot be read`, { cause });
  }
}
