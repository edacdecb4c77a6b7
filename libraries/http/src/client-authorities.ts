import { getCACertificates, setDefaultCACertificates } from "node:tls";

/**
 * Calls `make`, which creates a TLS server or a secure context. The server verifies client certificates with these CA
 * certificates like OpenSSL: path lengths, usages, names and validity of the complete chain.
 *
 * The certificates are not passed as the server's `ca`. A server sends the names of its `ca` in certificate requests. Many
 * clients then withhold certificates of other issuers, for example Azure Resource Manager. A server without `ca` uses the
 * thread's default CA certificates when it is created. No other code runs in between.
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
