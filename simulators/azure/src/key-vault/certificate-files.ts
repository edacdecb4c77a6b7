import { createPrivateKey, X509Certificate } from "node:crypto";
import forge from "node-forge";
import { certificatesIn } from "./certificate-signing.ts";
import { badParameter } from "./vault-error.ts";

/** Certificate chain and private key. */
export interface CertificateFile {
  readonly chainPem: string;
  readonly privateKeyPem: string;
}

/** Returns the value of a certificate's secret: PEM, or base64 of PKCS#12 without a password. */
export function secretValue({ chainPem, privateKeyPem }: CertificateFile, contentType: string): string {
  if (contentType === "application/x-pem-file") return `${privateKeyPem}${chainPem}`;
  const key = createPrivateKey(privateKeyPem);
  if (key.asymmetricKeyType !== "rsa") {
    throw badParameter("A key that is not RSA is handed out as application/x-pem-file only.");
  }
  const certificates = certificatesIn(chainPem).flatMap(readable);
  const asn1 = forge.pkcs12.toPkcs12Asn1(forge.pki.privateKeyFromPem(privateKeyPem), certificates, "", {
    algorithm: "3des",
  });
  return Buffer.from(forge.asn1.toDer(asn1).getBytes(), "binary").toString("base64");
}

/**
 * Returns a list with the certificate. The list is empty if the key type of the certificate is not RSA, because the PKCS#12
 * library supports only RSA keys.
 */
function readable(pem: string): forge.pki.Certificate[] {
  return new X509Certificate(pem).publicKey.asymmetricKeyType === "rsa"
    ? [forge.pki.certificateFromPem(pem)]
    : [];
}

/** Parses a certificate that a client imports: PEM, or base64 of PKCS#12. @throws VaultError */
export function readCertificateFile(value: string, password: string): CertificateFile & { isPem: boolean } {
  try {
    return value.includes("-----BEGIN")
      ? { ...readPem(value), isPem: true }
      : { ...readPkcs12(value, password), isPem: false };
  } catch {
    throw badParameter(
      "The certificate is neither PEM nor PKCS#12 with a certificate and its private key, or the password is wrong.",
    );
  }
}

function readPem(text: string): CertificateFile {
  const chain = certificatesIn(text);
  const privateKeyPem = createPrivateKey(text).export({ type: "pkcs8", format: "pem" }).toString();
  return checked({ chainPem: chain.join(""), privateKeyPem });
}

function readPkcs12(base64: string, password: string): CertificateFile {
  const der = forge.util.createBuffer(Buffer.from(base64, "base64").toString("binary"));
  const file = forge.pkcs12.pkcs12FromAsn1(forge.asn1.fromDer(der), password);
  const bags = file.safeContents.flatMap(({ safeBags }) => safeBags);
  const key = bags.find((bag) => bag.key)?.key;
  const certificates = bags.flatMap(({ cert }) => (cert ? [forge.pki.certificateToPem(cert)] : []));
  if (!key) throw new TypeError("no key");
  const privateKeyPem = createPrivateKey(forge.pki.privateKeyToPem(key))
    .export({ type: "pkcs8", format: "pem" })
    .toString();
  const own = createPrivateKey(privateKeyPem);
  const sorted = certificates.toSorted(
    (a, b) =>
      Number(new X509Certificate(b).checkPrivateKey(own)) -
      Number(new X509Certificate(a).checkPrivateKey(own)),
  );
  return checked({ chainPem: sorted.join(""), privateKeyPem });
}

/** Checks that the first certificate belongs to the key. @throws TypeError */
function checked(file: CertificateFile): CertificateFile {
  const leaf = new X509Certificate(file.chainPem);
  if (!leaf.checkPrivateKey(createPrivateKey(file.privateKeyPem))) throw new TypeError("another key");
  return file;
}
