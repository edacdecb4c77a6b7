import { X509Certificate } from "node:crypto";
import { authenticated, type User } from "./user.ts";

const clientAuth = "1.3.6.1.5.5.7.3.2";
const anyUsage = "2.5.29.37.0";

/** Certificate authorities whose client certificates a cluster accepts. */
export class ClientAuthorities {
  readonly #authorities: readonly X509Certificate[];
  /** Signatures are checked once per certificate; the entries go with the certificates. */
  readonly #signers = new WeakMap<X509Certificate, X509Certificate | null>();

  /** @throws when one of `pems` is not a certificate. A PEM text may hold several. */
  constructor(pems: readonly string[]) {
    this.#authorities = pems.flatMap(certificatesIn).map((pem) => new X509Certificate(pem));
  }

  /** The user that the certificate names: CN, with each O a group. `undefined` when it proves nothing here. */
  userOf(certificate: X509Certificate, now: Date): User | undefined {
    const signer = this.#signerOf(certificate);
    if (!signer || !isValid(certificate, now) || !isValid(signer, now)) return undefined;
    const usages = certificate.keyUsage ?? [];
    if (!usages.includes(clientAuth) && !usages.includes(anyUsage)) return undefined;
    const { subject } = certificate.toLegacyObject();
    const name = list(subject?.CN).at(-1);
    return name ? authenticated(name, list(subject?.O)) : undefined;
  }

  #signerOf(certificate: X509Certificate): X509Certificate | null {
    const known = this.#signers.get(certificate);
    if (known !== undefined) return known;
    const signer =
      this.#authorities.find(
        (ca) => ca.ca && certificate.checkIssued(ca) && certificate.verify(ca.publicKey),
      ) ?? null;
    this.#signers.set(certificate, signer);
    return signer;
  }
}

function certificatesIn(pem: string): readonly string[] {
  return pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [pem];
}

function isValid(certificate: X509Certificate, now: Date): boolean {
  return certificate.validFromDate <= now && now <= certificate.validToDate;
}

function list(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : typeof value === "string" ? [value] : value;
}
