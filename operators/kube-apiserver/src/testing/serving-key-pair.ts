import { createCertificateAuthority, issueCertificate } from "@keelson/base";

/** Returns the data of a valid server certificate Secret (type `kubernetes.io/tls`). */
export async function servingKeyPair(
  hostname = "api.example",
): Promise<Record<"tls.crt" | "tls.key", string>> {
  const authority = await createCertificateAuthority("users", 1);
  const { certificatePem, privateKeyPem } = await issueCertificate(authority, {
    commonName: hostname,
    dnsNames: [hostname],
    usage: "server",
    validDays: 1,
  });
  const encode = (pem: string) => Buffer.from(pem).toString("base64");
  return { "tls.crt": encode(certificatePem), "tls.key": encode(privateKeyPem) };
}
