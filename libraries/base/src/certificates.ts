import { createPrivateKey, randomBytes, webcrypto } from "node:crypto";
import type * as x509 from "@peculiar/x509";
import { loadX509 } from "./load-x509.ts";
import { encodeNameConstraints, nameConstraintsOid, type PermittedNames } from "./name-constraints.ts";

const ecdsa = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
const rsa = {
  name: "RSASSA-PKCS1-v1_5",
  hash: "SHA-256",
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
} as const;
const algorithms = { ecdsa, rsa };

/** Key type: ECDSA P-256, or RSA 2048 for clients without ECDSA. Signatures use SHA-256. */
export type KeyType = keyof typeof algorithms;

const dayMs = 86_400_000;

/** Certificate and private key, both in PEM. The key has the format PKCS#8. */
export interface KeyPair {
  readonly certificatePem: string;
  readonly privateKeyPem: string;
}

export interface ValidityPeriod {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

export interface CertificateRequest {
  readonly commonName: string;
  readonly organizations?: readonly string[];
  readonly dnsNames?: readonly string[];
  readonly ipAddresses?: readonly string[];
  readonly usage: "client" | "server" | "both";
  /** Number of days from now, or an exact period. */
  readonly validDays: number | ValidityPeriod;
  /** Default: `ecdsa`. */
  readonly keyType?: KeyType;
}

/**
 * Creates a CA with a new key. Without `parent`, the CA is self-signed. With `parent`, the CA is an intermediate CA that `parent`
 * signs. `permitted` adds name constraints.
 */
export async function createCertificateAuthority(
  commonName: string,
  validDays: number | ValidityPeriod,
  keyType: KeyType = "ecdsa",
  parent?: KeyPair,
  permitted?: PermittedNames,
): Promise<KeyPair> {
  const x509 = loadX509();
  const keys = await generateKeys(keyType);
  const subject = distinguishedName(commonName, []);
  const issuer = parent && new x509.X509Certificate(derOf(parent.certificatePem, /CERTIFICATE/));
  const signer = parent ? await importPrivateKey(parent.privateKeyPem) : keys.privateKey;
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    issuer: issuer?.subjectName ?? subject,
    subject,
    ...validity(validDays),
    publicKey: keys.publicKey,
    signingKey: signer,
    signingAlgorithm: signingAlgorithm(signer),
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      ...(permitted ? [new x509.Extension(nameConstraintsOid, true, encodeNameConstraints(permitted))] : []),
    ],
  });
  return { certificatePem: pem(certificate), privateKeyPem: await privateKeyPem(keys.privateKey) };
}

/** Issues a certificate for `request` with a new key, signed by `authority`. Default: self-signed. */
export async function issueCertificate(
  authority: KeyPair | undefined,
  request: CertificateRequest,
): Promise<KeyPair> {
  const x509 = loadX509();
  const keys = await generateKeys(request.keyType ?? "ecdsa");
  const subject = distinguishedName(request.commonName, request.organizations ?? []);
  const issuer = authority && new x509.X509Certificate(derOf(authority.certificatePem, /CERTIFICATE/));
  const signer = authority ? await importPrivateKey(authority.privateKeyPem) : keys.privateKey;
  const names = [
    ...(request.dnsNames ?? []).map((value) => ({ type: "dns" as const, value })),
    ...(request.ipAddresses ?? []).map((value) => ({ type: "ip" as const, value })),
  ];
  const usages = {
    client: [x509.ExtendedKeyUsage.clientAuth],
    server: [x509.ExtendedKeyUsage.serverAuth],
    both: [x509.ExtendedKeyUsage.clientAuth, x509.ExtendedKeyUsage.serverAuth],
  };
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    issuer: issuer?.subjectName ?? subject,
    subject,
    ...validity(request.validDays),
    publicKey: keys.publicKey,
    signingKey: signer,
    signingAlgorithm: signingAlgorithm(signer),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension(usages[request.usage]),
      await x509.AuthorityKeyIdentifierExtension.create(issuer?.publicKey ?? keys.publicKey),
      ...(names.length > 0 ? [new x509.SubjectAlternativeNameExtension(names)] : []),
    ],
  });
  return { certificatePem: pem(certificate), privateKeyPem: await privateKeyPem(keys.privateKey) };
}

function distinguishedName(commonName: string, organizations: readonly string[]): x509.Name {
  const x509 = loadX509();
  return new x509.Name([...organizations.map((name) => ({ O: [name] })), { CN: [commonName] }]);
}

/** Returns the validity period. It starts five minutes ago, because the clocks of peers may be slightly slow. */
function validity(days: number | ValidityPeriod): ValidityPeriod {
  if (typeof days !== "number") return days;
  const now = Date.now();
  return { notBefore: new Date(now - 300_000), notAfter: new Date(now + days * dayMs) };
}

/** Returns a random serial number of 127 bits. The DER integer is positive, as RFC 5280 section 4.1.2.2 requires. */
export function serialNumber(): string {
  const bytes = randomBytes(16);
  bytes.writeUInt8((bytes.readUInt8(0) & 0x7f) | 0x40, 0);
  return bytes.toString("hex");
}

export function pem(certificate: x509.X509Certificate): string {
  return `${certificate.toString("pem")}\n`;
}

async function privateKeyPem(key: webcrypto.CryptoKey): Promise<string> {
  const der = Buffer.from(await webcrypto.subtle.exportKey("pkcs8", key));
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN PRIVATE KEY-----\n${lines.join("\n")}\n-----END PRIVATE KEY-----\n`;
}

async function generateKeys(type: KeyType): Promise<webcrypto.CryptoKeyPair> {
  const keys = await webcrypto.subtle.generateKey(algorithms[type], true, ["sign", "verify"]);
  if (!("privateKey" in keys)) throw new TypeError(`${type} gave no key pair`);
  return keys;
}

export async function importPrivateKey(keyPem: string): Promise<webcrypto.CryptoKey> {
  const key = createPrivateKey(keyPem);
  const type = key.asymmetricKeyType === "rsa" ? rsa : ecdsa;
  // Keys created by other programs may have the format PKCS#1 or SEC1.
  const pkcs8 = key.export({ type: "pkcs8", format: "der" });
  return webcrypto.subtle.importKey("pkcs8", pkcs8, type, false, ["sign"]);
}

export function signingAlgorithm(key: webcrypto.CryptoKey): typeof rsa | typeof ecdsa {
  return key.algorithm.name === rsa.name ? rsa : ecdsa;
}

/** Returns the content of the first PEM block with this label. A file may contain both a key and its certificate. */
export function derOf(text: string, label: RegExp): Buffer {
  const blocks = text.matchAll(/-----BEGIN ([A-Z ]+)-----([^-]+)-----END/g);
  const [, , base64] = [...blocks].find(([, name = ""]) => label.test(name)) ?? [];
  if (base64 === undefined) throw new TypeError(`no PEM block ${label.source}`);
  return Buffer.from(base64, "base64");
}
