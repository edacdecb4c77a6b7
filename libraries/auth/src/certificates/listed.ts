import { createHash, timingSafeEqual, X509Certificate } from "node:crypto";
import type { Clock } from "@keelson/base";
import type { CallerRule } from "../callers/caller-rule.ts";
import { errors } from "../callers/errors.ts";

/**
 * Admits callers with a currently valid certificate from the list. Certificates are compared byte by byte. List entries are
 * certificates (PEM) or thumbprints (SHA-1 or SHA-256, hexadecimal).
 * @throws InvalidCertificate for an entry that is neither a certificate nor a thumbprint
 */
export function listedCertificates(thumbprintsOrPems: readonly string[], clock: Clock): CallerRule {
  const thumbprints = thumbprintsOrPems.map(parseThumbprintOrPem);
  const callers = new WeakMap<Uint8Array, Caller>();

  /** Caches the digests per connection. All requests of a connection share the array of certificates. */
  function callerOf(der: Uint8Array): Caller {
    const known = callers.get(der);
    if (known) return known;
    const { validFrom, validTo } = new X509Certificate(der);
    const caller = {
      listed: matchesAny(der, thumbprints),
      validFromMs: Date.parse(validFrom),
      validToMs: Date.parse(validTo),
    };
    callers.set(der, caller);
    return caller;
  }

  return {
    admits({ peerCertificates: [own] }) {
      if (!own) return false;
      const caller = callerOf(own);
      const now = clock.now().getTime();
      return caller.listed && now >= caller.validFromMs && now <= caller.validToMs;
    },
    ready: () => true,
  };
}

interface Thumbprint {
  readonly algorithm: "sha1" | "sha256";
  readonly digest: Buffer;
}

interface Caller {
  readonly listed: boolean;
  readonly validFromMs: number;
  readonly validToMs: number;
}

/**
 * True if the certificate matches an entry. Every entry is compared in constant time, so that the duration does not reveal the
 * matching entry.
 */
function matchesAny(der: Uint8Array, thumbprints: readonly Thumbprint[]): boolean {
  let matches = false;
  for (const { algorithm, digest } of thumbprints) {
    if (timingSafeEqual(createHash(algorithm).update(der).digest(), digest)) matches = true;
  }
  return matches;
}

function parseThumbprintOrPem(text: string): Thumbprint {
  const hex = text.replace(/[:\s]/g, "");
  if (/^([0-9a-f]{40}|[0-9a-f]{64})$/i.test(hex)) {
    return { algorithm: hex.length === 40 ? "sha1" : "sha256", digest: Buffer.from(hex, "hex") };
  }
  try {
    const { raw } = new X509Certificate(text);
    return { algorithm: "sha256", digest: createHash("sha256").update(raw).digest() };
  } catch (cause) {
    throw errors.InvalidCertificate(
      "A caller's certificate is neither PEM nor a SHA-1 or SHA-256 thumbprint in hexadecimal.",
      { cause },
    );
  }
}
