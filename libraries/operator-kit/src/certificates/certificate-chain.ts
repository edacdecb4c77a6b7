import { createPrivateKey, X509Certificate } from "node:crypto";
import type { KeyPair } from "@keelson/base";

/** Returns the readable certificates of a PEM file in order. Malformed blocks and blocks of other types are skipped. */
export function readCertificates(pem: string): readonly X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return blocks.flatMap((block) => {
    try {
      return [new X509Certificate(block)];
    } catch {
      return [];
    }
  });
}

/** Returns the first certificate of a key pair. Undefined if the certificate is unreadable or does not match the private key. */
export function readKeyPair({ certificatePem, privateKeyPem }: KeyPair): X509Certificate | undefined {
  const [certificate] = readCertificates(certificatePem);
  try {
    return certificate?.checkPrivateKey(createPrivateKey(privateKeyPem)) ? certificate : undefined;
  } catch {
    return undefined;
  }
}

export function commonNameOf({ subject }: X509Certificate): string {
  return /(?:^|\n)CN=(.*)/.exec(subject)?.[1] ?? "";
}

export function isSignedBy(certificate: X509Certificate, authority: X509Certificate): boolean {
  return certificate.checkIssued(authority) && certificate.verify(authority.publicKey);
}
