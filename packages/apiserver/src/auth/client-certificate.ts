import { X509Certificate } from "node:crypto";
import { authenticated, type User } from "./user.ts";

const clientAuth = "1.3.6.1.5.5.7.3.2";
const anyUsage = "2.5.29.37.0";

/** Whom a certificate names, from when until when (milliseconds since 1970). */
export interface CertificateUser {
  readonly user: User;
  readonly notBefore: number;
  readonly notAfter: number;
}

/** Certificate authorities whose client certificates a cluster accepts. */
export class ClientAuthorities {
  readonly #authorities: readonly X509Certificate[];
  readonly #findOwn: () => string | undefined;
  #own: X509Certificate | undefined;

  /**
   * `findOwn` gives the authority that signs certificate requests, once there is one.
   * @throws when one of `pems` is not a certificate. A PEM text may hold several.
   */
  constructor(pems: readonly string[], findOwn: () => string | undefined) {
    this.#authorities = pems.flatMap(certificatesIn).map((pem) => new X509Certificate(pem));
    this.#findOwn = findOwn;
  }

  /** All of them, one after the other. */
  get pem(): string {
    const own = this.#ownAuthority();
    return [...this.#authorities, ...(own ? [own] : [])].map(String).join("");
  }

  /** The user that the certificate names: CN, with each O a group. `undefined` when it proves nothing here. */
  userOf(certificate: X509Certificate): CertificateUser | undefined {
    const signer = this.#signerOf(certificate);
    if (!signer) return undefined;
    const usages = certificate.keyUsage ?? [];
    if (!usages.includes(clientAuth) && !usages.includes(anyUsage)) return undefined;
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
      ca.ca && certificate.checkIssued(ca) && certificate.verify(ca.publicKey);
    const own = this.#ownAuthority();
    return this.#authorities.find(signs) ?? (own && signs(own) ? own : undefined);
  }

  #ownAuthority(): X509Certificate | undefined {
    const pem = this.#own ? undefined : this.#findOwn();
    if (pem) this.#own = new X509Certificate(pem);
    return this.#own;
  }
}

function certificatesIn(pem: string): readonly string[] {
  return pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [pem];
}

function list(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : typeof value === "string" ? [value] : value;
}
