import { createPrivateKey } from "node:crypto";
import type { VaultCertificates } from "@keelson/azure";
import { type Clock, defineErrors, onTimeDeadline } from "@keelson/base";
import type { CertificateIssuer, IssuedCertificate } from "@keelson/cluster";

export interface KeyVaultIssuerOptions {
  readonly certificates: VaultCertificates;
  /** Name of the CA in the vault, for example `OneCertV2-PublicCA`. */
  readonly issuerName: string;
  /** Parent domain of the clusters. If a DNS name is too long for a common name, the common name is `reserved.{domain}`. */
  readonly domain: string;
  readonly clock: Clock;
}

const issuerErrors = defineErrors({
  /** The CA did not issue a certificate within the time limit. */
  CertificateNotIssued: { retry: "backoff" },
  /** The vault's secret does not contain a certificate with its key. */
  InvalidCertificate: { retry: "never" },
});

const longestCommonName = 64;
const askEveryMs = 10_000;
const limitMs = 15 * 60_000;

/**
 * Issues serving certificates of clusters through a key vault. The vault requests them from a public CA and renews them.
 * Certificates of a CA other than the configured one are replaced (Azure/ARO-RP pkg/cluster/tls.go).
 */
export function keyVaultCertificateIssuer(options: KeyVaultIssuerOptions): CertificateIssuer {
  const { certificates, issuerName, domain, clock } = options;

  async function ensure(name: string, dnsNames: readonly string[], signal: AbortSignal): Promise<void> {
    if ((await certificates.findIssuer(name, signal)) === issuerName) return;
    const [first = name] = dnsNames;
    const commonName = first.length > longestCommonName ? `reserved.${domain}` : first;
    await certificates.request(name, { issuerName, commonName, dnsNames }, signal);
    const isOver = onTimeDeadline(clock, limitMs);
    while (!(await certificates.isIssued(name, signal))) {
      if (isOver())
        throw issuerErrors.CertificateNotIssued(
          `${issuerName} has not issued the certificate ${name} within ${limitMs / 60_000} minutes`,
        );
      await clock.sleep(askEveryMs, signal);
    }
  }

  return {
    async issue(name, dnsNames, signal) {
      await ensure(name, dnsNames, signal);
      return parsePair(name, (await certificates.read(name, signal)).reveal());
    },
    forget: (name, signal) => certificates.delete(name, signal),
  };
}

/** Splits the secret into the certificate chain (leaf first) and the key in PKCS#8. */
function parsePair(name: string, pem: string): IssuedCertificate {
  const chain = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----\n?/g);
  const key = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----/.exec(pem)?.[0];
  if (!chain || !key)
    throw issuerErrors.InvalidCertificate(
      `the secret ${name} of the key vault is not a certificate with its key`,
    );
  const privateKeyPem = createPrivateKey(key).export({ type: "pkcs8", format: "pem" }).toString();
  return { certificatePem: chain.map((each) => `${each.trim()}\n`).join(""), privateKeyPem };
}
