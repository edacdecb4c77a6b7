import { getCACertificates, setDefaultCACertificates } from "node:tls";

/**
 * Calls `make`, which makes a TLS server or its secure context. The server verifies certificates of clients against
 * these authorities, as OpenSSL does: path lengths, usages, names and times of the complete chain.
 *
 * They are not its `ca`: a server sends the names of those with its request for a certificate. Many clients then
 * withhold a certificate of a different issuer, such as that of Azure Resource Manager. A server without `ca` uses the
 * default authorities of the thread at the time when it is made. No other code runs in between.
 */
export function verifyingClients<T>(authorityPems: readonly string[], make: () => T): T {
  if (authorityPems.length === 0) return make();
  const others = getCACertificates("default");
  setDefaultCACertificates([...authorityPems]);
  try {
    return make();
  } finally {
    setDefaultCACertificates(others);
  }
}
