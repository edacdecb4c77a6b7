import { isIP } from "node:net";
import { checkServerIdentity, type PeerCertificate } from "node:tls";

/**
 * Returns undefined if one of the certificate's subject alternative names matches `host`. If no name matches, returns an error
 * with the message of Go's x509 package.
 */
export function serverIdentityError(host: string, certificate: PeerCertificate): Error | undefined {
  const names = namesOf(certificate);
  // If a certificate has no alternative names, Node.js accepts the common name, but Go clients reject the certificate.
  if (names.dns.length + names.ip.length > 0 && !checkServerIdentity(host, certificate)) return undefined;
  return new Error(`tls: failed to verify certificate: x509: ${refusal(host, names)}`);
}

interface AlternativeNames {
  readonly dns: readonly string[];
  readonly ip: readonly string[];
  readonly commonName: string;
}

function refusal(host: string, { dns, ip, commonName }: AlternativeNames): string {
  if (isIP(host) !== 0) {
    return ip.length === 0
      ? `cannot validate certificate for ${host} because it doesn't contain any IP SANs`
      : `certificate is valid for ${ip.join(", ")}, not ${host}`;
  }
  if (dns.length > 0) return `certificate is valid for ${dns.join(", ")}, not ${host}`;
  return ip.length === 0 && commonName !== ""
    ? "certificate relies on legacy Common Name field, use SANs instead"
    : `certificate is not valid for any names, but wanted to match ${host}`;
}

/** Returns the canonical form of an IP address (RFC 5952). */
function shortened(address: string): string {
  return isIP(address) === 6 ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
}

function namesOf({ subjectaltname = "", subject }: PeerCertificate): AlternativeNames {
  const names = subjectaltname.split(", ");
  const of = (prefix: string) =>
    names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
  const commonName = subject?.CN ?? "";
  return {
    dns: of("DNS:"),
    ip: of("IP Address:").map(shortened),
    commonName: Array.isArray(commonName) ? (commonName[0] ?? "") : commonName,
  };
}
