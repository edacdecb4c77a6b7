import { webcrypto } from "node:crypto";
import type * as x509 from "@peculiar/x509";
import {
  derOf,
  importPrivateKey,
  type KeyPair,
  pem,
  serialNumber,
  signingAlgorithm,
} from "./certificates.ts";
import { loadX509 } from "./load-x509.ts";

const block = /^\s*-----BEGIN CERTIFICATE REQUEST-----[^-]+-----END CERTIFICATE REQUEST-----\s*$/;

/** Subject of a certificate request (RFC 2986) with its alternative names. */
export interface CertificateRequestSubject {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
  readonly emailAddresses: readonly string[];
  readonly uris: readonly string[];
}

/** Certificate fields that the signer sets. Their values in the request are ignored. */
export interface SigningTerms {
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** Bits of KeyUsage (RFC 5280 section 4.2.1.3). The first bit has the value 1. */
  readonly keyUsage: number;
  /** Object identifiers. */
  readonly extendedKeyUsage: readonly string[];
}

/** Maximum number of verified requests in memory. */
const keptRequests = 500;
/** Maximum length, in characters, of a request that is kept in memory. */
const longestKept = 4_096;
/** Verified requests by PEM, oldest first. Admission, approvers and signers read the same request. */
const verified = new Map<string, CertificateRequestSubject>();

/** Parses a PEM certificate request and verifies its signature. @throws TypeError for an invalid request or signature */
export async function readCertificateRequest(text: string): Promise<CertificateRequestSubject> {
  const known = verified.get(text);
  if (known) return known;
  const subject = await verifiedSubject(text);
  keep(text, subject);
  return subject;
}

function keep(text: string, subject: CertificateRequestSubject): void {
  if (text.length > longestKept) return;
  verified.set(text, subject);
  const [oldest] = verified.keys();
  if (verified.size > keptRequests && oldest !== undefined) verified.delete(oldest);
}

async function verifiedSubject(text: string): Promise<CertificateRequestSubject> {
  const request = parse(text);
  if (!(await isSigned(request))) throw new TypeError("the signature of the certificate request is wrong");
  const names = alternativeNames(request);
  const ofType = (type: x509.GeneralNameType) =>
    names.filter((name) => name.type === type).map((name) => name.value);
  return {
    commonName: request.subjectName.getField("CN").at(-1) ?? "",
    organizations: request.subjectName.getField("O"),
    dnsNames: ofType("dns"),
    ipAddresses: ofType("ip"),
    emailAddresses: ofType("email"),
    uris: ofType("url"),
  };
}

/**
 * Issues a PEM certificate for a request, signed by `authority`. Copies only the subject, the public key and the alternative
 * names from the request.
 */
export async function signCertificateRequest(
  authority: KeyPair,
  text: string,
  terms: SigningTerms,
): Promise<string> {
  const x509 = loadX509();
  const request = parse(text);
  const { issuer, signer } = await importAuthority(authority);
  const names = alternativeNames(request);
  const { notBefore, notAfter, keyUsage, extendedKeyUsage } = terms;
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    issuer: issuer.subjectName,
    subject: request.subjectName,
    notBefore,
    notAfter: notAfter < issuer.notAfter ? notAfter : issuer.notAfter,
    publicKey: request.publicKey,
    signingKey: signer,
    signingAlgorithm: signingAlgorithm(signer),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      ...(keyUsage > 0 ? [new x509.KeyUsagesExtension(keyUsage, true)] : []),
      ...(extendedKeyUsage.length > 0 ? [new x509.ExtendedKeyUsageExtension([...extendedKeyUsage])] : []),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
      ...(names.length > 0 ? [new x509.SubjectAlternativeNameExtension([...names])] : []),
    ],
  });
  return pem(certificate);
}

/** Last imported authority. A signer usually has the same authority for all requests. */
let lastAuthority: { readonly pair: KeyPair; readonly imported: ReturnType<typeof newAuthority> } | undefined;

function importAuthority(pair: KeyPair): ReturnType<typeof newAuthority> {
  const { certificatePem, privateKeyPem } = pair;
  const last = lastAuthority?.pair;
  if (last?.certificatePem !== certificatePem || last.privateKeyPem !== privateKeyPem)
    lastAuthority = { pair, imported: newAuthority(pair) };
  return lastAuthority?.imported ?? newAuthority(pair);
}

async function newAuthority({ certificatePem, privateKeyPem }: KeyPair) {
  const x509 = loadX509();
  const issuer = new x509.X509Certificate(derOf(certificatePem, /CERTIFICATE/));
  return { issuer, signer: await importPrivateKey(privateKeyPem) };
}

function parse(text: string): x509.Pkcs10CertificateRequest {
  const x509 = loadX509();
  if (!block.test(text)) throw new TypeError("PEM block type must be CERTIFICATE REQUEST");
  try {
    return new x509.Pkcs10CertificateRequest(derOf(text, /CERTIFICATE REQUEST/));
  } catch (error) {
    throw new TypeError("the certificate request is malformed", { cause: error });
  }
}

/** Verifies the signature of a request. False for unsupported key types. */
async function isSigned(request: x509.Pkcs10CertificateRequest): Promise<boolean> {
  try {
    return await request.verify();
  } catch {
    return false;
  }
}

function alternativeNames(request: x509.Pkcs10CertificateRequest): readonly x509.GeneralName[] {
  const x509 = loadX509();
  return [...request.extensions].flatMap((extension) =>
    extension instanceof x509.SubjectAlternativeNameExtension ? extension.names.items : [],
  );
}

/** Returns a PEM certificate request for a new P-256 key. The private key is discarded. */
export async function createCertificateRequest(
  subject: Pick<CertificateRequestSubject, "commonName" | "organizations" | "dnsNames" | "ipAddresses">,
): Promise<string> {
  const x509 = loadX509();
  const keys = await webcrypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
    "sign",
    "verify",
  ]);
  const names = [
    ...subject.dnsNames.map((value) => ({ type: "dns" as const, value })),
    ...subject.ipAddresses.map((value) => ({ type: "ip" as const, value })),
  ];
  const request = await x509.Pkcs10CertificateRequestGenerator.create(
    {
      name: new x509.Name([
        ...subject.organizations.map((each) => ({ O: [each] })),
        { CN: [subject.commonName] },
      ]),
      keys,
      signingAlgorithm: { name: "ECDSA", hash: "SHA-256" },
      extensions: names.length > 0 ? [new x509.SubjectAlternativeNameExtension(names)] : [],
    },
    webcrypto,
  );
  const text = request.toString("pem");
  // The signature needs no verification, because the request was just signed with its own key.
  keep(text, {
    commonName: subject.commonName,
    organizations: [...subject.organizations],
    dnsNames: [...subject.dnsNames],
    ipAddresses: [...subject.ipAddresses],
    emailAddresses: [],
    uris: [],
  });
  return text;
}
