import { getCACertificates, setDefaultCACertificates } from "node:tls";

/**
 * Calls `make`, which creates a TLS server or a secure context. The server verifies client certificates with the CA certificates
 * in `authorityPems`. It uses the checks of OpenSSL: path lengths, usages, names and validity of the complete chain.
 *
 * The CA certificates are not passed in the server's option `ca`, because a server sends the names of these CAs in certificate
 * requests. Many clients, for example Azure Resource Manager, then send no certificate that was issued by a different CA. A
 * server without `ca` uses the thread's default CA certificates at the time of its creation. This function therefore replaces
 * these defaults during `make`. `make` is synchronous, so no other code is affected.
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
