import "reflect-metadata";
import { createHash, createPrivateKey, createPublicKey, webcrypto, X509Certificate } from "node:crypto";
import { type KeyPair, signCertificateRequest } from "@keelson/base";
import * as x509 from "@peculiar/x509";
import type { PolicyTerms } from "./certificate-policy.ts";
import { badParameter } from "./vault-error.ts";

/** KeyUsage bits in the order of RFC 5280 section 4.2.1.3. */
const usages = [
  "digitalSignature",
  "nonRepudiation",
  "keyEncipherment",
  "dataEncipherment",
  "keyAgreement",
  "keyCertSign",
  "cRLSign",
  "encipherOnly",
  "decipherOnly",
];

/**
 * Expiry of the internal CA for self-signed certificates. The CA must not expire before the certificates, because only the policy
 * may limit their validity.
 */
const farAway = new Date("9999-12-31T23:59:59Z");

/** Returns a certificate signing request in PEM. @throws VaultError for invalid names */
export async function certificateRequest(privateKeyPem: string, terms: PolicyTerms): Promise<string> {
  const keys = await keyPair(privateKeyPem);
  const names = [
    ...terms.dnsNames.map((value) => ({ type: "dns" as const, value })),
    ...terms.emails.map((value) => ({ type: "email" as const, value })),
  ];
  try {
    const request = await x509.Pkcs10CertificateRequestGenerator.create(
      {
        name: terms.subject,
        keys,
        signingAlgorithm: keys.privateKey.algorithm,
        extensions: names.length > 0 ? [new x509.SubjectAlternativeNameExtension(names)] : [],
      },
      webcrypto,
    );
    return request.toString("pem");
  } catch (error) {
    throw badParameter(
      `Property subject of the policy is invalid: ${error instanceof Error ? error.message : ""}`,
    );
  }
}

/**
 * Signs a certificate signing request according to the policy. The certificate is valid from `now`. Returns the certificate and
 * the CA certificate in PEM.
 */
export async function signRequest(
  request: string,
  terms: PolicyTerms,
  authority: KeyPair,
  now: Date,
): Promise<string> {
  const notAfter = new Date(now);
  notAfter.setUTCMonth(notAfter.getUTCMonth() + terms.validityMonths);
  const certificate = await signCertificateRequest(authority, request, {
    notBefore: new Date(now.getTime() - 600_000),
    notAfter,
    keyUsage: usages.reduce(
      (bits, name, index) => bits | (terms.keyUsage.includes(name) ? 1 << index : 0),
      0,
    ),
    extendedKeyUsage: terms.extendedKeyUsage,
  });
  return `${certificate}${authority.certificatePem}`;
}

/** Returns a self-signed certificate in PEM. The key that signs the request is the key for which the certificate is requested. */
export async function selfSign(
  request: string,
  privateKeyPem: string,
  terms: PolicyTerms,
  now: Date,
): Promise<string> {
  const keys = await keyPair(privateKeyPem);
  // Internal CA with the subject of the certificate. The certificate of this CA is not returned.
  const self = await x509.X509CertificateGenerator.createSelfSigned(
    { name: terms.subject, keys, signingAlgorithm: keys.privateKey.algorithm, notAfter: farAway },
    webcrypto,
  );
  const authority = { certificatePem: `${self.toString("pem")}\n`, privateKeyPem };
  const [leaf = ""] = certificatesIn(await signRequest(request, terms, authority, now));
  return leaf;
}

/** Splits a chain into PEM blocks. */
export function certificatesIn(chainPem: string): readonly string[] {
  const blocks = chainPem.matchAll(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  return [...blocks].map(([block]) => `${block}\n`);
}

/** Returns the first certificate of a chain, and the properties of this certificate that responses contain. */
export function leafOf(chainPem: string) {
  const certificate = new X509Certificate(chainPem);
  return {
    certificate,
    der: certificate.raw,
    thumbprint: createHash("sha1").update(certificate.raw).digest("base64url"),
    notBefore: seconds(certificate.validFrom),
    notAfter: seconds(certificate.validTo),
  };
}

function seconds(text: string): number {
  return Math.floor(Date.parse(text) / 1_000);
}

async function keyPair(privateKeyPem: string): Promise<webcrypto.CryptoKeyPair> {
  const key = createPrivateKey(privateKeyPem);
  const jwk = key.export({ format: "jwk" });
  const algorithm =
    key.asymmetricKeyType === "rsa"
      ? { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" }
      : { name: "ECDSA", namedCurve: jwk.crv ?? "", hash: "SHA-256" };
  const half = createPublicKey(key).export({ format: "jwk" });
  return {
    privateKey: await webcrypto.subtle.importKey("jwk", jwk, algorithm, true, ["sign"]),
    publicKey: await webcrypto.subtle.importKey("jwk", half, algorithm, true, ["verify"]),
  };
}
