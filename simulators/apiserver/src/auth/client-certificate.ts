import { X509Certificate } from "node:crypto";
import { readCertificateUses } from "@keelson/base";
import { authenticated, type User } from "./user.ts";

const clientAuth = "1.3.6.1.5.5.7.3.2";
const anyUsage = "2.5.29.37.0";
/** Maximum number of cached certificate users. */
const maxKept = 200;

/** User of a client certificate. The validity is in milliseconds since 1970. */
export interface CertificateUser {
  readonly user: User;
  readonly notBefore: number;
  readonly notAfter: number;
}

/**
 * Client CAs of a cluster. A client certificate must be signed directly by one of the CAs. TLS cannot verify client certificates,
 * because clusters share the server's TLS listener. CAs of several clusters can have equal names, and Node.js does not report
 * which CA verified a chain. Intermediate certificates, name constraints and unknown critical extensions are therefore rejected.
 */
export class ClientAuthorities {
  readonly #authorities: readonly X509Certificate[];
  readonly #findOwn: () => string | undefined;
  #own: X509Certificate | undefined;
  readonly #fit = new WeakMap<X509Certificate, boolean>();
  /** Users by certificate fingerprint. Clients open many connections with the same certificate. */
  readonly #users = new Map<string, CertificateUser>();

  /**
   * `findOwn` returns the CA that signs certificate requests, if it exists. A PEM string may contain several certificates.
   * @throws if one of `pems` is not a certificate
   */
  constructor(pems: readonly string[], findOwn: () => string | undefined) {
    this.#authorities = pems.flatMap(certificatesIn).map((pem) => new X509Certificate(pem));
    this.#findOwn = findOwn;
  }

  /** PEM bundle of all CAs. */
  get pem(): string {
    const own = this.#ownAuthority();
    return [...this.#authorities, ...(own ? [own] : [])].map(String).join("");
  }

  /** Returns the user of a certificate: CN is the name, each O a group. Returns undefined if the certificate is rejected. */
  userOf(certificate: X509Certificate): CertificateUser | undefined {
    const key = certificate.fingerprint256;
    const user = this.#users.get(key) ?? this.#readUser(certificate);
    // Moves the entry to the end, so that the least recently used entries are evicted first.
    this.#users.delete(key);
    if (user) this.#users.set(key, user);
    const [oldest = ""] = this.#users.keys();
    if (this.#users.size > maxKept) this.#users.delete(oldest);
    return user;
  }

  #readUser(certificate: X509Certificate): CertificateUser | undefined {
    const signer = this.#signerOf(certificate);
    if (!signer) return undefined;
    if (!isForClients(certificate.keyUsage ?? [])) return undefined;
    if (readCertificateUses(certificate).unjudged.length > 0) return undefined;
    const { subject } = certificate.toLegacyObject();
    const name = list(subject?.CN).at(-1);
    if (!name) return undefined;
    const fingerprint = certificate.fingerprint256.replaceAll(":", "").toLowerCase();
    const extra = { "authentication.kubernetes.io/credential-id": [`X509SHA256=${fingerprint}`] };
    return {
      user: authenticated(name, list(subject?.O), { extra }),
      notBefore: Math.max(certificate.validFromDate.getTime(), signer.validFromDate.getTime()),
      notAfter: Math.min(certificate.validToDate.getTime(), signer.validToDate.getTime()),
    };
  }

  #signerOf(certificate: X509Certificate): X509Certificate | undefined {
    const signs = (ca: X509Certificate) =>
      this.#maySign(ca) && certificate.checkIssued(ca) && certificate.verify(ca.publicKey);
    const own = this.#ownAuthority();
    return this.#authorities.find(signs) ?? (own && signs(own) ? own : undefined);
  }

  /** True if the extensions of the CA permit it to sign client certificates. */
  #maySign(ca: X509Certificate): boolean {
    const known = this.#fit.get(ca);
    if (known !== undefined) return known;
    const { signsCertificates, unjudged } = readCertificateUses(ca);
    const usages = ca.keyUsage;
    const fit = ca.ca && signsCertificates && unjudged.length === 0 && (!usages || isForClients(usages));
    this.#fit.set(ca, fit);
    return fit;
  }

  #ownAuthority(): X509Certificate | undefined {
    const pem = this.#own ? undefined : this.#findOwn();
    if (pem) this.#own = new X509Certificate(pem);
    return this.#own;
  }
}

function isForClients(extendedKeyUsages: readonly string[]): boolean {
  return extendedKeyUsages.includes(clientAuth) || extendedKeyUsages.includes(anyUsage);
}

function certificatesIn(pem: string): readonly string[] {
  return pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [pem];
}

function list(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : typeof value === "string" ? [value] : value;
}
