import { getCACertificates, setDefaultCACertificates } from "node:tls";

/**
 * Calls `make`, which creates a TLS server or its secure context. The server verifies client certificates
 * with these CA certificates like OpenSSL: path lengths, usages, names and times of the complete chain.
 *
 * They are not the server's `ca`, because a server sends the names of its `ca` with a certificate request.
 * Many clients then withhold a certificate of a different issuer, such as that of Azure Resource Manager. A
 * server without `ca` uses the thread's default CA certificates at the time of its creation. No other code
 * runs in between.
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
