import type { X509Certificate } from "node:crypto";
import { loadX509 } from "./load-x509.ts";

/** Certificate fields that Node.js does not expose. */
export interface CertificateUses {
  /** True if the key usage allows certificate signing. */
  readonly signsCertificates: boolean;
  /**
   * Object identifiers of extensions that restrict the certificate and that this module does not evaluate: name constraints and
   * unknown critical extensions.
   */
  readonly unjudged: readonly string[];
}

const nameConstraints = "2.5.29.30";
/**
 * Evaluated extensions: subject key identifier, key usage, alternative name, basic constraints, policies,
 * authority key identifier, extended key usage.
 */
const judged = new Set(["14", "15", "17", "19", "32", "35", "37"].map((each) => `2.5.29.${each}`));

export function readCertificateUses({ raw }: X509Certificate): CertificateUses {
  const x509 = loadX509();
  const { extensions } = new x509.X509Certificate(raw);
  const keyUsages = extensions.find((each) => each instanceof x509.KeyUsagesExtension);
  return {
    signsCertificates: !keyUsages || (keyUsages.usages & x509.KeyUsageFlags.keyCertSign) !== 0,
    unjudged: extensions
      .filter(({ type, critical }) => type === nameConstraints || (critical && !judged.has(type)))
      .map(({ type }) => type),
  };
}
