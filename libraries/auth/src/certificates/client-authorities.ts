import { getCACertificates, setDefaultCACertificates } from "node:tls";

/**
 * Has a TLS server made that verifies its clients' certificates against these authorities, as OpenSSL does: path
 * lengths, usages, names and times of the whole chain.
 *
 * They are not its `ca`, because a server sends the names of those along when it asks for a certificate, and many
 * clients then keep back one of another issuer, as that of Azure Resource Manager is. A server without `ca` takes
 * the thread's default authorities, and keeps those that it was made with; nothing else runs in between.
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
