import { X509Certificate } from "node:crypto";
import { messageOf } from "@keelson/base";

export interface CaSource {
  readonly namespace: string;
  readonly name: string;
  /** Its `ca-bundle.crt`; undefined where it is not there. */
  readonly pem: string | undefined;
}

const pemBlock = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

/**
 * The authorities of all sources, in their order, each once, without those that have ended.
 * @throws Error naming a source that holds anything but certificates: half a bundle would shut clients out
 */
export function caUnion(sources: readonly CaSource[], now: Date): string {
  const certificates = new Map<string, X509Certificate>();
  for (const source of sources)
    for (const certificate of certificatesOf(source))
      if (certificate.validToDate > now && !certificates.has(certificate.fingerprint256))
        certificates.set(certificate.fingerprint256, certificate);
  return [...certificates.values()].map((each) => each.toString()).join("");
}

function certificatesOf({ namespace, name, pem }: CaSource): readonly X509Certificate[] {
  if (pem === undefined || pem.trim() === "") return [];
  const malformed = (why: string, cause?: unknown) =>
    new Error(`configmap/${name} in "${namespace}" is malformed: ${why}`, { cause });
  const blocks = pem.match(pemBlock);
  if (!blocks) throw malformed("data does not contain any valid RSA or ECDSA certificates");
  return blocks.map((block) => {
    try {
      return new X509Certificate(block);
    } catch (error) {
      throw malformed(messageOf(error), error);
    }
  });
}
