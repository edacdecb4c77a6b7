import { type Clock, issueCertificate } from "@keelson/base";
import forge from "node-forge";
import type { Store, Table } from "../../store/store.ts";

/** Certificate of a managed identity. The validity period has the length that Azure uses. */
export interface IdentityCertificate {
  readonly certificatePem: string;
  /** PKCS#12 without a password, base64. */
  readonly pkcs12: string;
  readonly notBefore: string;
  readonly notAfter: string;
  readonly renewAfter: string;
  readonly cannotRenewAfter: string;
}

const dayMs = 86_400_000;
const validDays = 90;
const renewAfterDays = 46;

/** Certificates of managed identities, by identity ID. */
export class IdentityCertificates {
  readonly #table: Table<IdentityCertificate>;
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
    this.#table = store.table("identityCertificate");
  }

  find(identityId: string): IdentityCertificate | undefined {
    return this.#table.get(identityId.toLowerCase());
  }

  /** Returns the current certificate. Creates a new one if renewal is due. */
  async get(identityId: string, clientId: string, clock: Clock): Promise<IdentityCertificate> {
    const current = this.find(identityId);
    if (current && Date.parse(current.renewAfter) > clock.now().getTime()) return current;
    const made = await newCertificate(clientId, clock);
    this.#store.transaction(() => this.#table.set(identityId.toLowerCase(), made));
    await this.#store.durable();
    return made;
  }

  /** Removes an identity's certificate. Must be called within a transaction. */
  remove(identityId: string): void {
    this.#table.delete(identityId.toLowerCase());
  }
}

async function newCertificate(clientId: string, clock: Clock): Promise<IdentityCertificate> {
  const request = { commonName: clientId, usage: "client", keyType: "rsa", validDays } as const;
  const { certificatePem, privateKeyPem } = await issueCertificate(undefined, request);
  const key = forge.pki.privateKeyFromPem(privateKeyPem);
  const certificate = forge.pki.certificateFromPem(certificatePem);
  const file = forge.asn1.toDer(forge.pkcs12.toPkcs12Asn1(key, [certificate], "", { algorithm: "3des" }));
  const now = clock.now().getTime();
  const after = (days: number) => new Date(now + days * dayMs).toISOString();
  return {
    certificatePem,
    pkcs12: Buffer.from(file.getBytes(), "binary").toString("base64"),
    notBefore: after(0),
    notAfter: after(validDays),
    renewAfter: after(renewAfterDays),
    cannotRenewAfter: after(validDays),
  };
}
