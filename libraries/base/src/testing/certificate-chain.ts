import { webcrypto } from "node:crypto";
import type * as X509 from "@peculiar/x509";
import type { KeyPair } from "../certificates.ts";
import { loadX509 } from "../load-x509.ts";

const x509 = loadX509();

export const { ExtendedKeyUsage, KeyUsageFlags } = x509;

const dayMs = 86_400_000;
const ecdsa = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;

/** Test certificate with arbitrary extensions, and its key. */
export interface MadeCertificate {
  readonly certificate: X509.X509Certificate;
  readonly keys: webcrypto.CryptoKeyPair;
}

export interface CertificateFields {
  readonly commonName: string;
  /** Default: self-signed. */
  readonly issuer?: MadeCertificate;
  /** True for a CA. `pathLength` limits the number of intermediate CAs below it. */
  readonly authority?: boolean | { readonly pathLength: number };
  /** Key usages of the certificate. Default: the standard key usage of a CA or a client. */
  readonly keyUsages?: X509.KeyUsageFlags;
  readonly extendedKeyUsages?: readonly string[];
  readonly dnsNames?: readonly string[];
  /** Only DNS domain that the CA permits. */
  readonly permittedDomain?: string;
  readonly notBefore?: Date;
  readonly notAfter?: Date;
}

export async function makeCertificate(fields: CertificateFields): Promise<MadeCertificate> {
  const { issuer, authority = false, permittedDomain, extendedKeyUsages, dnsNames } = fields;
  const generated = await webcrypto.subtle.generateKey(ecdsa, true, ["sign", "verify"]);
  if (!("privateKey" in generated)) throw new TypeError("no key pair");
  const keys = generated;
  const subject = new x509.Name([{ CN: [fields.commonName] }]);
  const usages =
    fields.keyUsages ?? (authority ? x509.KeyUsageFlags.keyCertSign : x509.KeyUsageFlags.digitalSignature);
  const pathLength = typeof authority === "object" ? authority.pathLength : undefined;
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: Buffer.from(webcrypto.getRandomValues(new Uint8Array(8)))
      .toString("hex")
      .replace(/^./, "4"),
    issuer: issuer?.certificate.subjectName ?? subject,
    subject,
    notBefore: fields.notBefore ?? new Date(Date.now() - 300_000),
    notAfter: fields.notAfter ?? new Date(Date.now() + dayMs),
    publicKey: keys.publicKey,
    signingKey: issuer?.keys.privateKey ?? keys.privateKey,
    signingAlgorithm: ecdsa,
    extensions: [
      new x509.BasicConstraintsExtension(authority !== false, pathLength, true),
      new x509.KeyUsagesExtension(usages, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      ...(extendedKeyUsages ? [new x509.ExtendedKeyUsageExtension([...extendedKeyUsages])] : []),
      ...(dnsNames
        ? [
            new x509.SubjectAlternativeNameExtension(
              dnsNames.map((value) => ({ type: "dns" as const, value })),
            ),
          ]
        : []),
      ...(permittedDomain === undefined ? [] : [nameConstraints(permittedDomain)]),
    ],
  });
  return { certificate, keys };
}

/** Encodes a NameConstraints extension (RFC 5280, 4.2.1.10): `{ permittedSubtrees [0] { { base dNSName [2] } } }`. */
function nameConstraints(domain: string): X509.Extension {
  const nested = [0x30, 0xa0, 0x30, 0x82].reduceRight<Buffer>(
    (content, tag) => Buffer.concat([Buffer.of(tag, content.length), content]),
    Buffer.from(domain),
  );
  return new x509.Extension("2.5.29.30", true, nested);
}

/** Returns the credentials of a TLS client: its certificate, additional certificates, and its key. */
export async function presented(
  own: MadeCertificate,
  ...sentAlong: readonly MadeCertificate[]
): Promise<KeyPair> {
  const der = Buffer.from(await webcrypto.subtle.exportKey("pkcs8", own.keys.privateKey));
  return {
    certificatePem: [own, ...sentAlong].map(pemOf).join(""),
    privateKeyPem: `-----BEGIN PRIVATE KEY-----\n${der.toString("base64")}\n-----END PRIVATE KEY-----\n`,
  };
}

export function pemOf({ certificate }: MadeCertificate): string {
  return `${certificate.toString("pem")}\n`;
}
