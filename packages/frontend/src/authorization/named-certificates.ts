import { X509Certificate } from "node:crypto";
import type { Clock } from "@keelson/base";
import { errors } from "../errors.ts";
import type { CallerRule } from "./caller-rule.ts";

const clientAuth = "1.3.6.1.5.5.7.3.2";
const anyUsage = "2.5.29.37.0";
/** Certificates between the caller's and a trusted authority. */
const maxIntermediates = 5;

export interface NamedCertificatesOptions {
  /** The subject's CN, which must be equal. */
  readonly commonName: string;
  /** Certificates (PEM) of the trusted authorities. */
  readonly authorityPems: readonly string[];
  readonly clock: Clock;
}

interface Verdict {
  readonly admitted: boolean;
  /** When the certificates of the chain are all valid. */
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * Admits callers with a certificate for TLS clients that has the given common name and leads, by way of the
 * intermediates that the caller sent along, to one of the given authorities.
 * Source: Azure/ARO-RP pkg/util/clientauthorizer/subjectandissuer.go.
 * @throws InvalidCertificate for an authority that is no certificate
 */
export function namedCertificates({
  commonName,
  authorityPems,
  clock,
}: NamedCertificatesOptions): CallerRule {
  const authorities = authorityPems.map(parseAuthority);
  const verdicts = new WeakMap<readonly Uint8Array[], Verdict>();

  function verdictOn(peerCertificates: readonly Uint8Array[]): Verdict {
    const known = verdicts.get(peerCertificates);
    if (known) return known;
    const verdict = examine(peerCertificates, commonName, authorities);
    verdicts.set(peerCertificates, verdict);
    return verdict;
  }

  return {
    admits({ peerCertificates }) {
      if (peerCertificates.length === 0) return false;
      const { admitted, fromMs, toMs } = verdictOn(peerCertificates);
      const now = clock.now().getTime();
      return admitted && now >= fromMs && now <= toMs;
    },
    ready: () => authorities.length > 0,
  };
}

function examine(
  peerCertificates: readonly Uint8Array[],
  commonName: string,
  authorities: readonly X509Certificate[],
): Verdict {
  const refused = { admitted: false, fromMs: 0, toMs: 0 };
  const [own, ...intermediates] = peerCertificates
    .slice(0, maxIntermediates + 1)
    .map((der) => new X509Certificate(der));
  if (!own || own.ca || commonNameOf(own) !== commonName || !isForClients(own)) return refused;
  const chain = chainTo(own, intermediates, authorities);
  if (!chain) return refused;
  return {
    admitted: true,
    fromMs: Math.max(...chain.map(({ validFrom }) => Date.parse(validFrom))),
    toMs: Math.min(...chain.map(({ validTo }) => Date.parse(validTo))),
  };
}

/** The certificates from this one to an authority, which ends it; `undefined` when there is no such way. */
function chainTo(
  certificate: X509Certificate,
  intermediates: readonly X509Certificate[],
  authorities: readonly X509Certificate[],
): readonly X509Certificate[] | undefined {
  const authority = authorities.find((each) => isIssuedBy(certificate, each));
  if (authority) return [certificate, authority];
  for (const [index, issuer] of intermediates.entries()) {
    if (!isIssuedBy(certificate, issuer)) continue;
    const rest = chainTo(issuer, intermediates.toSpliced(index, 1), authorities);
    if (rest) return [certificate, ...rest];
  }
  return undefined;
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

/** A certificate without extended key usage is for everything. */
function isForClients({ keyUsage }: X509Certificate): boolean {
  const usages: readonly string[] | undefined = keyUsage;
  return usages === undefined || usages.includes(clientAuth) || usages.includes(anyUsage);
}

function commonNameOf(certificate: X509Certificate): string | undefined {
  const { CN } = certificate.toLegacyObject().subject;
  return typeof CN === "string" ? CN : undefined;
}

function parseAuthority(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (cause) {
    throw errors.InvalidCertificate("A certificate authority of callers is no PEM certificate.", { cause });
  }
}
