import { X509Certificate } from "node:crypto";
import type { Clock } from "@keelson/base";
import type { CallerRule } from "../callers/caller-rule.ts";
import { errors } from "../callers/errors.ts";
import { commonNameOf } from "./common-name.ts";

export interface NamedCertificatesOptions {
  /** Required CN of the subject. */
  readonly commonName: string;
  /** CA certificates (PEM). Each certificate is self-signed or issued by a CA of this list. */
  readonly authorityPems: readonly string[];
  readonly clock: Clock;
}

interface Chain {
  readonly hasName: boolean;
  /** Time in ms since the Unix epoch from which all certificates of the chain are valid. */
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * Admits callers with a certificate that TLS has verified against the CA certificates. The certificate must have the given common
 * name and must not be a CA certificate. Source: Azure/ARO-RP pkg/util/clientauthorizer/subjectandissuer.go.
 * @throws InvalidCertificate if a CA certificate is invalid or its issuer is not in the list
 */
export function namedCertificates({
  commonName,
  authorityPems,
  clock,
}: NamedCertificatesOptions): CallerRule {
  assertComplete(authorityPems.map(parseAuthority));
  const chains = new WeakMap<readonly Uint8Array[], Chain>();

  /** Parses the chain once per connection. All requests of a connection share the array. */
  function chainOf(peerCertificates: readonly Uint8Array[]): Chain {
    const known = chains.get(peerCertificates);
    if (known) return known;
    const chain = readChain(peerCertificates, commonName);
    chains.set(peerCertificates, chain);
    return chain;
  }

  return {
    authorityPems,
    admits({ peerCertificates, peerVerified }) {
      if (!peerVerified || peerCertificates.length === 0) return false;
      const { hasName, fromMs, toMs } = chainOf(peerCertificates);
      // Checks the validity period for each request, because TLS checked it only when the connection was opened.
      const now = clock.now().getTime();
      return hasName && now >= fromMs && now <= toMs;
    },
    ready: () => authorityPems.length > 0,
  };
}

function readChain(peerCertificates: readonly Uint8Array[], commonName: string): Chain {
  const chain = peerCertificates.map((der) => new X509Certificate(der));
  const [own] = chain;
  return {
    hasName: own !== undefined && !own.ca && commonNameOf(own) === commonName,
    fromMs: Math.max(...chain.map(({ validFrom }) => Date.parse(validFrom))),
    toMs: Math.min(...chain.map(({ validTo }) => Date.parse(validTo))),
  };
}

/** Checks that the list contains the issuer of every CA certificate. TLS verifies each chain up to a self-signed certificate. */
function assertComplete(authorities: readonly X509Certificate[]): void {
  const lost = authorities.find((each) => !authorities.some((issuer) => each.checkIssued(issuer)));
  if (!lost) return;
  throw errors.InvalidCertificate(
    `The certificate authority ${oneLine(lost.subject)} of callers was issued by ${oneLine(lost.issuer)}, which is not in the list. Add it.`,
  );
}

function oneLine(name: string): string {
  return JSON.stringify(name.replaceAll("\n", ", "));
}

function parseAuthority(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (cause) {
    throw errors.InvalidCertificate("A certificate authority of callers is no PEM certificate.", { cause });
  }
}
